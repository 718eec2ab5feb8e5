//! Intervals of integers.

use gradus_ir::Prim;

/// The least and the greatest value of an integer.
pub(crate) type Range = (i128, i128);

/// That of all integers.
pub(crate) const ANY: Range = (i64::MIN as i128, i64::MAX as i128);

/// The range of what a primitive gives of integers in these ranges, before it is cut to 64 bits; none where that is not known.
pub(crate) fn range(prim: Prim, operands: &[Range]) -> Option<Range> {
    let corners = |f: &dyn Fn(i128, i128) -> i128| {
        let &[(a, b), (c, d)] = operands else { return None };
        let values = [f(a, c), f(a, d), f(b, c), f(b, d)];
        Some((*values.iter().min()?, *values.iter().max()?))
    };
    match (prim, operands) {
        (Prim::Add | Prim::WrapAdd, _) => corners(&|a, b| a + b),
        (Prim::Sub | Prim::WrapSub, _) => corners(&|a, b| a - b),
        (Prim::Mul, _) => corners(&|a, b| a * b),
        (Prim::Min | Prim::Minimum, _) => corners(&i128::min),
        (Prim::Max | Prim::Maximum, _) => corners(&i128::max),
        (Prim::Neg, &[(a, b)]) => Some((-b, -a)),
        (Prim::Abs, &[(a, b)]) => Some((if a <= 0 && 0 <= b { 0 } else { a.abs().min(b.abs()) }, a.abs().max(b.abs()))),
        (Prim::Mod, &[_, (least, most)]) if least > 0 => Some((0, most - 1)),
        (Prim::FloorDiv, &[_, (least, _)]) if least > 0 => corners(&|a, b| a.div_euclid(b)),
        (Prim::Index | Prim::Below, &[_, (_, most)]) => Some((0, most - 1)),
        (Prim::BitAnd, &[(a, b), (c, d)]) if a >= 0 || c >= 0 => {
            let most = [(a, b), (c, d)].into_iter().filter(|r| r.0 >= 0).map(|r| r.1).min()?;
            Some((0, most))
        }
        (Prim::ShiftRight, &[(a, b), (c, d)]) if c == d && (1..64).contains(&c) => {
            Some(if a >= 0 { (a >> c, b >> c) } else { (0, i128::from(u64::MAX) >> c) })
        }
        (Prim::Step, &[range]) => Some(range),
        (Prim::Int, &[range]) => Some(range),
        (Prim::Select, &[_, (a, b), (c, d)]) => Some((a.min(c), b.max(d))),
        _ => None,
    }
}

/// Whether a range is one of 64-bit integers.
pub(crate) fn fits(range: Range) -> bool {
    i64::try_from(range.0).is_ok() && i64::try_from(range.1).is_ok()
}
