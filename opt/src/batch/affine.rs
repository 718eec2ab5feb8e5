//! Integers that change by the same amount with each iteration.

use crate::interval::Range;
use gradus_ir::Prim;

/// `first + step · i` in iteration i. All its values are 64-bit integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Affine {
    pub(super) step: i64,
    pub(super) first: i64,
}

impl Affine {
    /// The number of the iteration.
    pub(super) const ITERATION: Affine = Affine { step: 1, first: 0 };

    /// The same integer in all iterations.
    pub(super) fn constant(first: i64) -> Affine {
        Affine { step: 0, first }
    }

    /// None if `n` iterations take it out of its range.
    fn new(step: i128, first: i128, n: i64) -> Option<Affine> {
        i64::try_from(first + step * i128::from(n - 1)).ok()?;
        Some(Affine { step: step.try_into().ok()?, first: first.try_into().ok()? })
    }

    /// The value in iteration `i`.
    pub(super) fn value(self, i: i64) -> i128 {
        i128::from(self.first) + i128::from(self.step) * i128::from(i)
    }

    /// Its values in `n` iterations.
    pub(super) fn range(self, n: i64) -> Range {
        let (first, last) = (self.value(0), self.value(n - 1));
        (first.min(last), first.max(last))
    }

    /// The sum with another one so many times.
    pub(super) fn plus(self, other: Affine, times: i64, n: i64) -> Option<Affine> {
        let sum = |a: i64, b: i64| i128::from(a) + i128::from(b) * i128::from(times);
        Affine::new(sum(self.step, other.step), sum(self.first, other.first), n)
    }

    /// What a primitive gives of such integers in `n` iterations, if that is one and the primitive does not trap.
    pub(super) fn apply(prim: Prim, operands: &[Affine], n: i64) -> Option<Affine> {
        match (prim, operands) {
            (Prim::Add | Prim::WrapAdd, &[a, b]) => a.plus(b, 1, n),
            (Prim::Sub | Prim::WrapSub, &[a, b]) => a.plus(b, -1, n),
            (Prim::Neg, &[a]) => Affine::constant(0).plus(a, -1, n),
            (Prim::Mul, &[a, Affine { step: 0, first }] | &[Affine { step: 0, first }, a]) => {
                Affine::constant(0).plus(a, first, n)
            }
            (Prim::Index, &[a, Affine { step: 0, first: length }]) => {
                let (least, most) = a.range(n);
                match i128::from(length) {
                    length if 0 <= least && most < length => Some(a),
                    length if -length <= least && most < 0 => a.plus(Affine::constant(1), length as i64, n),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_iteration_gives_is_what_scalars_give() {
        let (k, three) = (Affine { step: -2, first: 9 }, Affine::constant(3));
        for (prim, operands, expected) in [
            (Prim::Add, &[k, three][..], Some((-2, 12))),
            (Prim::Sub, &[three, k], Some((2, -6))),
            (Prim::Mul, &[three, k], Some((-6, 27))),
            (Prim::Neg, &[k], Some((2, -9))),
            (Prim::Index, &[k, Affine::constant(10)], Some((-2, 9))),
            (Prim::Index, &[k, Affine::constant(9)], None),
            (Prim::Mul, &[k, k], None),
        ] {
            let found = Affine::apply(prim, operands, 5).map(|a| (a.step, a.first));
            assert_eq!(found, expected, "{}", prim.name());
        }
        let from_end = Affine { step: 1, first: -5 };
        assert_eq!(Affine::apply(Prim::Index, &[from_end, Affine::constant(5)], 5), Some(Affine::ITERATION));
        let large = Affine { step: i64::MAX / 4, first: 0 };
        assert_eq!(Affine::apply(Prim::Add, &[large, large], 5), None);
    }
}
