//! The operators on function values that stand for derivatives, until these are expanded.

use super::{Prim, j_type, k_type, t_type, taylor_type};
use crate::types::Type;

/// What tells the operators of reverse mode apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reverse {
    /// `K`, for calls in tail position, and not `J`.
    pub tail: bool,
    /// Whether only the last argument varies.
    pub last: bool,
}

impl Reverse {
    /// The operator.
    pub fn prim(self) -> Prim {
        let is = |p: &Prim| p.as_reverse() == Some(self);
        Prim::OPERATORS.into_iter().find(is).expect("there is an operator for each")
    }
}

impl Prim {
    /// The derivative operators on function values that executors know, in the order of their tables.
    pub const OPERATORS: [Prim; 6] = [Prim::J, Prim::K, Prim::JLast, Prim::KLast, Prim::F, Prim::T];

    /// What an operator of reverse mode says of its derivative.
    pub fn as_reverse(self) -> Option<Reverse> {
        let (tail, last) = match self {
            Prim::J => (false, false),
            Prim::K => (true, false),
            Prim::JLast => (false, true),
            Prim::KLast => (true, true),
            _ => return None,
        };
        Some(Reverse { tail, last })
    }

    /// The order up to which an operator of forward mode gives the coefficients of Taylor series.
    pub fn as_forward(self) -> Option<usize> {
        match self {
            Prim::F => Some(1),
            Prim::Taylor(order) => Some(order as usize),
            _ => None,
        }
    }

    /// The operator of forward mode of an order.
    pub fn forward(order: usize) -> Prim {
        if order == 1 { Prim::F } else { Prim::Taylor(order as u32) }
    }

    /// Whether this is a derivative operator on function values.
    pub fn is_operator(self) -> bool {
        self == Prim::T || self.as_reverse().is_some() || self.as_forward().is_some()
    }

    /// The type of the derivative by this operator of a function `fn(params) -> result`.
    pub fn derived_type(self, params: &[Type], result: &Type) -> Type {
        match (self.as_reverse(), self.as_forward()) {
            (Some(Reverse { tail: false, .. }), _) => j_type(params, result),
            (Some(Reverse { tail: true, .. }), _) => k_type(params, result),
            (None, Some(order)) => taylor_type(order, params, result),
            (None, None) if self == Prim::T => t_type(params, result),
            (None, None) => panic!("`{}` is no derivative operator", self.name()),
        }
    }
}
