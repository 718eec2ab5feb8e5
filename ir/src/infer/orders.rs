//! How often the code of an instance is differentiated, and in which modes: the rules of a function are for its derivatives alone, and
//! may themselves call functions with rules (the adjoint of a fixed point is one), so they are looked at only where they are needed.

use super::calls::Target;
use super::engine::Engine;
use super::instances::InstId;
use crate::graph::NodeId;
use crate::prim::Prim;

/// The derivatives that are taken of some code, one inside of the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Derivatives {
    /// How many, at most.
    order: u8,
    /// Whether one of them is in reverse mode.
    reverse: bool,
    /// Whether one of them is in forward mode.
    forward: bool,
}

/// More derivatives than this are those of a function that asks for its own.
const MAX_ORDER: u8 = 32;

impl Derivatives {
    fn join(self, other: Derivatives) -> Derivatives {
        let order = self.order.max(other.order);
        Derivatives { order, reverse: self.reverse | other.reverse, forward: self.forward | other.forward }
    }

    /// Those of a function whose derivative is called in code with these.
    fn and(self, operator: Prim) -> Derivatives {
        let order = (self.order + 1).min(MAX_ORDER);
        let forward = operator == Prim::F;
        Derivatives { order, reverse: self.reverse | !forward, forward: self.forward | forward }
    }

    /// Those of a rule, which stands for one.
    fn of_rule(self) -> Derivatives {
        match self.order {
            0 | 1 => Derivatives::default(),
            order => Derivatives { order: order - 1, ..self },
        }
    }

    /// Whether the code asks for its own derivatives.
    pub(super) fn are_without_bound(self) -> bool {
        self.order == MAX_ORDER
    }

    /// Whether a function called in such code needs its rule of reverse mode.
    pub(super) fn need_reverse(self) -> bool {
        self.order > 0 && self.reverse
    }

    /// Whether it needs that of forward mode.
    pub(super) fn need_forward(self) -> bool {
        self.order > 0 && self.forward
    }
}

impl Engine {
    /// Takes down what a call was found to be.
    pub(super) fn record(&mut self, id: InstId, node: NodeId, target: Target) {
        let here = self.instances[id].derivatives;
        let operator = match (&target, self.m.as_prim(node)) {
            (Target::Derivative(_), _) => Some(Prim::J),
            (Target::Pushforward(_), _) => Some(Prim::F),
            (Target::Applied(_), Some(Prim::Pushed)) => Some(Prim::F),
            (Target::Applied(_), Some(Prim::Pulled | Prim::PulledGated | Prim::PulledLast)) => Some(Prim::J),
            _ => None,
        };
        let mut called = Vec::new();
        match (&target, operator) {
            // A pullback is code of its function, wherever it is called.
            (Target::Pullback(of), _) => of.iter().for_each(|&callee| self.differentiate(callee, here.and(Prim::J))),
            (Target::Ruled(ruled), _) => {
                ruled.rules(&mut called);
                called.drain(..).for_each(|callee| self.differentiate(callee, here.of_rule()));
            }
            (target, None) => {
                target.instances(&mut called);
                called.drain(..).for_each(|callee| self.differentiate(callee, here));
            }
            (target, Some(operator)) => {
                target.instances(&mut called);
                called.drain(..).for_each(|callee| self.differentiate(callee, here.and(operator)));
            }
        }
        self.instances[id].calls.insert(node, target);
    }

    fn differentiate(&mut self, id: InstId, more: Derivatives) {
        let all = self.instances[id].derivatives.join(more);
        if all != self.instances[id].derivatives {
            self.instances[id].derivatives = all;
            self.enqueue(id);
        }
    }
}
