//! How often the code of an instance is differentiated, and in which modes: the rules of a function are for its derivatives alone, and
//! may themselves call functions with rules (the adjoint of a fixed point is one), so they are looked at only where they are needed.

use super::calls::Target;
use super::engine::Engine;
use super::instances::InstId;
use crate::graph::NodeId;
use crate::prim::Prim;

/// The derivatives that are taken of some code, one inside of the other: words of J and F, the outermost first. Of the words that some
/// code has, those that are known here are a superset, what is at each place in any of them and how long they are.
///
/// A call of a function with rules goes by the rule for the innermost derivative, the last of a word, and the others are taken of that rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Derivatives {
    /// The lengths of the words, as bits.
    lengths: u64,
    /// The places that may be in reverse mode.
    reverse: u64,
    /// The places that may be in forward mode.
    forward: u64,
}

impl Default for Derivatives {
    /// The code is run as it is.
    fn default() -> Derivatives {
        Derivatives { lengths: 1, reverse: 0, forward: 0 }
    }
}

/// More derivatives than this are those of a function that asks for its own.
const MAX_ORDER: u32 = 32;

impl Derivatives {
    fn join(self, other: Derivatives) -> Derivatives {
        Derivatives {
            lengths: self.lengths | other.lengths,
            reverse: self.reverse | other.reverse,
            forward: self.forward | other.forward,
        }
    }

    /// Those of a function whose derivative is called in code with these. A series of order n goes by rules for fewer and fewer orders,
    /// and by n times `F` where the run alone knows the function.
    fn and(self, operator: Prim) -> Derivatives {
        match operator.as_forward() {
            Some(order) => {
                (0..order).scan(self, |d, _| (*d = d.and_one(Prim::F), Some(*d)).1).fold(self.and_one(Prim::F), Self::join)
            }
            None => self.and_one(operator),
        }
    }

    fn and_one(self, operator: Prim) -> Derivatives {
        let (reverse, forward) = if operator == Prim::F { (0, self.lengths) } else { (self.lengths, 0) };
        let lengths = self.lengths << 1;
        let longest = 1 << MAX_ORDER;
        let lengths = if lengths > longest { lengths & (longest - 1) | longest } else { lengths };
        Derivatives { lengths, reverse: self.reverse | reverse, forward: self.forward | forward }
    }

    /// Those of the rule for the derivative that an operator takes.
    fn of_rule(self, operator: Prim) -> Derivatives {
        let lengths = self.ends(operator);
        // What only longer words have is not known of these.
        let places = lengths.checked_ilog2().map_or(0, |longest| (1 << longest) - 1);
        Derivatives { lengths, reverse: self.reverse & places, forward: self.forward & places }
    }

    /// The places of the innermost derivatives that an operator takes: the lengths of what is before them.
    fn ends(self, operator: Prim) -> u64 {
        let places = if operator == Prim::F { self.forward } else { self.reverse };
        places & (self.lengths >> 1)
    }

    /// Whether the code asks for its own derivatives.
    pub(super) fn are_without_bound(self) -> bool {
        self.lengths >> MAX_ORDER != 0
    }

    /// Whether a function called in such code needs its rule for the derivative that an operator takes.
    pub(super) fn need_rule(self, operator: Prim) -> bool {
        self.ends(operator) != 0
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
            (Target::Applied(_), Some(Prim::PushedSeries)) => Some(Prim::forward(self.order_of_series(id, node))),
            (Target::Applied(_), Some(Prim::Pulled | Prim::PulledLast)) => Some(Prim::J),
            _ => None,
        };
        let mut called = Vec::new();
        match (&target, operator) {
            // A pullback is code of its function, wherever it is called.
            (Target::Pullback(of), _) => of.iter().for_each(|&callee| self.differentiate(callee, here.and(Prim::J))),
            (Target::Ruled(ruled), _) => {
                for operator in [Prim::J, Prim::F] {
                    ruled.rules(operator, &mut called);
                    called.drain(..).for_each(|callee| self.differentiate(callee, here.of_rule(operator)));
                }
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
