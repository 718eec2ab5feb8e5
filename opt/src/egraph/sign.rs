//! What is proved of the sign of a float over the reals, wherever the float is defined: rules that cancel need a proof.
//!
//! A term that is not defined, such as one in an arm that is never taken, must not become equal to what is defined: `r / z · z` is
//! `r` for every `r`, so with a `z` that is zero all of these would be one. `√a · √a` is `a` only where `a` is not negative.

use super::analysis::Facts;
use super::lang::{Op, Term};
use egg::{DidMerge, EGraph};
use gradus_ir::Prim;
use gradus_ir::eval::Scalar;

/// What a float is known not to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sign {
    /// It is never zero.
    pub nonzero: bool,
    /// It is never less than zero.
    pub nonnegative: bool,
}

impl Sign {
    const POSITIVE: Sign = Sign { nonzero: true, nonnegative: true };

    /// Of a constant.
    pub fn of(value: Scalar) -> Sign {
        match value {
            Scalar::F64(v) => Sign { nonzero: v != 0.0 && !v.is_nan(), nonnegative: v >= 0.0 },
            _ => Sign::default(),
        }
    }

    /// Of a term, by those of its operands.
    pub fn of_term(egraph: &EGraph<Term, Facts>, term: &Term) -> Sign {
        let Op::Prim(prim) = term.op else { return Sign::default() };
        let of = |i: usize| egraph[term.children[i]].data.sign;
        let both = |i: usize, j: usize| Sign {
            nonzero: of(i).nonzero && of(j).nonzero,
            nonnegative: of(i).nonnegative && of(j).nonnegative,
        };
        let is_square = || egraph.find(term.children[0]) == egraph.find(term.children[1]);
        match prim {
            Prim::Exp | Prim::Exp2 | Prim::Cosh | Prim::Sigmoid | Prim::Erfc => Sign::POSITIVE,
            Prim::Sqrt | Prim::Abs => Sign { nonnegative: true, ..of(0) },
            Prim::Neg => Sign { nonnegative: false, ..of(0) },
            Prim::Mul if is_square() => Sign { nonnegative: true, ..of(0) },
            Prim::Mul | Prim::Min | Prim::Minimum => both(0, 1),
            Prim::Div => Sign { nonzero: of(0).nonzero, ..both(0, 1) },
            Prim::Add | Prim::Hypot => {
                let nonnegative = prim == Prim::Hypot || both(0, 1).nonnegative;
                Sign { nonzero: nonnegative && (of(0).nonzero || of(1).nonzero), nonnegative }
            }
            Prim::Max | Prim::Maximum => {
                let is_positive = |s: Sign| s == Sign::POSITIVE;
                let any = is_positive(of(0)) || is_positive(of(1));
                Sign { nonzero: any || both(0, 1).nonzero, nonnegative: of(0).nonnegative || of(1).nonnegative }
            }
            Prim::Pow if of(0).nonnegative => of(0),
            Prim::Powi => of(0),
            Prim::Select => both(1, 2),
            _ => Sign::default(),
        }
    }

    /// Adds what is known of the same float from elsewhere.
    pub fn merge(&mut self, from: Sign) -> DidMerge {
        let all = Sign { nonzero: self.nonzero || from.nonzero, nonnegative: self.nonnegative || from.nonnegative };
        let change = DidMerge(*self != all, from != all);
        *self = all;
        change
    }
}
