//! What operators and conversions mean, with the faults that Rust checks for: what leaves the range of its type is a trap.
//!
//! Integers are `i64` in the IR. Where the type in Rust has a smaller range, results are checked against it.

use super::Lowerer;
use crate::types::{Int, Kind};
use gradus_ir::{NodeId, Prim, Span};
use syn::BinOp;

impl Lowerer<'_> {
    /// An operator on two values of one kind.
    pub(super) fn operation(&mut self, op: &BinOp, kind: &Kind, a: NodeId, b: NodeId, span: Span) -> NodeId {
        let prim = match (op, kind) {
            (BinOp::Div(_), Kind::Int(int)) => return self.quotient(*int, a, b, span),
            (BinOp::Rem(_), Kind::Int(int)) => return self.remainder(*int, a, b, span),
            (BinOp::Shl(_), Kind::Int(int)) => return self.shifted_up(*int, a, b, span),
            (BinOp::Shr(_), Kind::Int(int)) => return self.shifted_down(*int, a, b, span),
            (BinOp::Add(_), _) => Prim::Add,
            (BinOp::Sub(_), _) => Prim::Sub,
            (BinOp::Mul(_), _) => Prim::Mul,
            (BinOp::Div(_), _) => Prim::Div,
            (BinOp::Rem(_), _) => Prim::Rem,
            // Of integers of one type, with or without a sign, they are of that type.
            (BinOp::BitAnd(_), Kind::Int(_)) => Prim::BitAnd,
            (BinOp::BitOr(_), Kind::Int(_)) => Prim::BitOr,
            (BinOp::BitXor(_), Kind::Int(_)) => Prim::BitXor,
            (BinOp::BitAnd(_), _) => Prim::And,
            (BinOp::BitOr(_), _) => Prim::Or,
            (BinOp::Eq(_), _) => Prim::Eq,
            (BinOp::Ne(_) | BinOp::BitXor(_), _) => Prim::Ne,
            (BinOp::Lt(_), _) => Prim::Lt,
            (BinOp::Le(_), _) => Prim::Le,
            (BinOp::Gt(_), _) => Prim::Gt,
            (BinOp::Ge(_), _) => Prim::Ge,
            _ => unreachable!("the check refuses other operators"),
        };
        let result = self.prim(prim, &[a, b], span);
        match kind {
            Kind::Int(int) if matches!(prim, Prim::Add | Prim::Sub | Prim::Mul) => match (prim, int.min) {
                // What is not negative does not become so.
                (Prim::Add | Prim::Mul, 0) => self.at_most(result, int.max, span),
                (Prim::Sub, 0) => self.at_least(result, 0, span),
                _ => self.within(result, *int, span),
            },
            _ => result,
        }
    }

    /// An integer that is checked to be one of its type.
    pub(super) fn within(&mut self, value: NodeId, int: Int, span: Span) -> NodeId {
        let value = self.at_least(value, int.min, span);
        self.at_most(value, int.max, span)
    }

    /// There is one check of a range, that of 64 bits: the value is moved to where it fails.
    fn at_most(&mut self, value: NodeId, max: i64, span: Span) -> NodeId {
        if max == i64::MAX {
            return value;
        }
        let distance = self.m.i64(i64::MAX - max);
        let moved = self.prim(Prim::Add, &[value, distance], span);
        self.prim(Prim::WrapSub, &[moved, distance], span)
    }

    fn at_least(&mut self, value: NodeId, min: i64, span: Span) -> NodeId {
        if min == i64::MIN {
            return value;
        }
        let distance = self.m.i64(i64::MIN.wrapping_sub(min));
        let moved = self.prim(Prim::Add, &[value, distance], span);
        self.prim(Prim::WrapSub, &[moved, distance], span)
    }

    /// `a / b`, toward zero. The floor is one less where the signs differ and something is left.
    fn quotient(&mut self, int: Int, a: NodeId, b: NodeId, span: Span) -> NodeId {
        let floor = self.prim(Prim::FloorDiv, &[a, b], span);
        if int.min == 0 {
            return floor;
        }
        let modulo = self.prim(Prim::Mod, &[a, b], span);
        let one = self.m.i64(1);
        let next = self.prim(Prim::WrapAdd, &[floor, one], span);
        let differ = self.signs_differ(a, b, span);
        let left = self.is_nonzero(modulo, span);
        let up = self.prim(Prim::And, &[differ, left], span);
        let quotient = self.prim(Prim::Select, &[up, next, floor], span);
        self.within(quotient, int, span)
    }

    /// `a % b`, with the sign of `a`. Python's has that of `b`.
    fn remainder(&mut self, int: Int, a: NodeId, b: NodeId, span: Span) -> NodeId {
        let modulo = self.prim(Prim::Mod, &[a, b], span);
        if int.min == 0 {
            return modulo;
        }
        let other = self.prim(Prim::WrapSub, &[modulo, b], span);
        let differ = self.signs_differ(a, b, span);
        let left = self.is_nonzero(modulo, span);
        let down = self.prim(Prim::And, &[differ, left], span);
        self.prim(Prim::Select, &[down, other, modulo], span)
    }

    pub(super) fn is_negative(&mut self, a: NodeId, span: Span) -> NodeId {
        let zero = self.m.i64(0);
        self.prim(Prim::Lt, &[a, zero], span)
    }

    fn is_nonzero(&mut self, a: NodeId, span: Span) -> NodeId {
        let zero = self.m.i64(0);
        self.prim(Prim::Ne, &[a, zero], span)
    }

    fn signs_differ(&mut self, a: NodeId, b: NodeId, span: Span) -> NodeId {
        let signs = [self.is_negative(a, span), self.is_negative(b, span)];
        self.prim(Prim::Ne, &signs, span)
    }

    /// `!a`: the number whose bits are the others.
    pub(super) fn complement(&mut self, a: NodeId, int: Int, span: Span) -> NodeId {
        let all = self.m.i64(if int.min == 0 { int.max } else { -1 });
        self.prim(Prim::WrapSub, &[all, a], span)
    }

    /// How far bits are moved: less than there are.
    fn distance(&mut self, int: Int, n: NodeId, span: Span) -> NodeId {
        let n = self.at_least(n, 0, span);
        self.at_most(n, i64::from(int.bits) - 1, span)
    }

    /// `a << n`. Bits that leave a type of less than 64 are lost; of these, they are a fault.
    fn shifted_up(&mut self, int: Int, a: NodeId, n: NodeId, span: Span) -> NodeId {
        let n = self.distance(int, n, span);
        let two = self.m.i64(2);
        let factor = self.prim(Prim::Ipow, &[two, n], span);
        let product = self.prim(Prim::Mul, &[a, factor], span);
        if int.bits == 64 { product } else { self.wrapped(product, int, span) }
    }

    /// `a >> n`, which keeps the sign. The greatest power of two that there is has 62 for its exponent.
    fn shifted_down(&mut self, int: Int, a: NodeId, n: NodeId, span: Span) -> NodeId {
        let n = self.distance(int, n, span);
        let (two, most) = (self.m.i64(2), self.m.i64(62));
        let first = self.prim(Prim::Min, &[n, most], span);
        let rest = self.prim(Prim::WrapSub, &[n, first], span);
        [first, rest].into_iter().fold(a, |a, n| {
            let divisor = self.prim(Prim::Ipow, &[two, n], span);
            self.prim(Prim::FloorDiv, &[a, divisor], span)
        })
    }

    /// The whole part of the square root: that of the nearest float, which may be off by one.
    pub(super) fn integer_root(&mut self, n: NodeId, span: Span) -> NodeId {
        let n = self.at_least(n, 0, span);
        let float = self.prim(Prim::Float, &[n], span);
        let float = self.prim(Prim::Sqrt, &[float], span);
        let near = self.prim(Prim::Int, &[float], span);
        let one = self.m.i64(1);
        // The square of a candidate may be beyond 64 bits, the quotient is not.
        let below = self.prim(Prim::WrapSub, &[near, one], span);
        let is_large = self.exceeds_root(near, n, span);
        let root = self.prim(Prim::Select, &[is_large, below, near], span);
        let next = self.prim(Prim::WrapAdd, &[root, one], span);
        let is_large = self.exceeds_root(next, n, span);
        self.prim(Prim::Select, &[is_large, root, next], span)
    }

    fn exceeds_root(&mut self, candidate: NodeId, n: NodeId, span: Span) -> NodeId {
        let one = self.m.i64(1);
        let divisor = self.prim(Prim::Max, &[candidate, one], span);
        let quotient = self.prim(Prim::FloorDiv, &[n, divisor], span);
        self.prim(Prim::Gt, &[candidate, quotient], span)
    }

    /// `value as T`.
    pub(super) fn cast(&mut self, value: NodeId, from: &Kind, to: &Kind, span: Span) -> NodeId {
        match (from, to) {
            (Kind::Struct(of), _) => {
                let tag = self.tag(*of, value, span);
                self.cast(tag, &Kind::Int(Int::I64), to, span)
            }
            (Kind::Int(_), Kind::F64) => self.prim(Prim::Float, &[value], span),
            (Kind::Bool, Kind::Int(_)) => self.prim(Prim::Int, &[value], span),
            // `as` does not do this, but `f64::from` does.
            (Kind::Bool, Kind::F64) => {
                let number = self.prim(Prim::Int, &[value], span);
                self.prim(Prim::Float, &[number], span)
            }
            (Kind::F64, Kind::Int(int)) => self.saturated(value, *int, span),
            (Kind::Int(from), Kind::Int(to)) if from.min < to.min || from.max > to.max => self.wrapped(value, *to, span),
            _ => value,
        }
    }

    /// A float as an integer: toward zero, the nearest where it is too large, zero of what is no number.
    fn saturated(&mut self, value: NodeId, int: Int, span: Span) -> NodeId {
        let [low, high] = [int.min as f64, int.max as f64 + 1.0].map(|bound| self.m.f64(bound));
        // `i64::MAX` is rounded up, and so is the bound beyond it.
        let high = if int.max == i64::MAX { self.m.f64(int.max as f64) } else { high };
        let not_below = self.prim(Prim::Ge, &[value, low], span);
        let below = self.prim(Prim::Lt, &[value, low], span);
        let not_above = self.prim(Prim::Lt, &[value, high], span);
        let above = self.prim(Prim::Ge, &[value, high], span);
        let inside = self.prim(Prim::And, &[not_below, not_above], span);
        let zero = self.m.f64(0.0);
        let safe = self.prim(Prim::Select, &[inside, value, zero], span);
        let whole = self.prim(Prim::Int, &[safe], span);
        let [min, max] = [int.min, int.max].map(|v| self.m.i64(v));
        let whole = self.prim(Prim::Select, &[above, max, whole], span);
        self.prim(Prim::Select, &[below, min, whole], span)
    }

    /// An integer as one of another type: its last bits. Where these make a number beyond `i64`, it is a fault.
    fn wrapped(&mut self, value: NodeId, int: Int, span: Span) -> NodeId {
        if int.bits == 64 {
            return self.within(value, int, span);
        }
        let (modulus, offset) = (self.m.i64(1 << int.bits), self.m.i64(int.min));
        let moved = self.prim(Prim::WrapSub, &[value, offset], span);
        let bits = self.prim(Prim::Mod, &[moved, modulus], span);
        self.prim(Prim::WrapAdd, &[bits, offset], span)
    }
}
