//! Which strategy differentiates which function.

use crate::stack::flow::{Flow, Obstacle};
use std::collections::BTreeMap;

/// A strategy of reverse mode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Strategy {
    /// Backpropagator closures (docs/strategies.md §4).
    Closure,
    /// Transposed control flow with tapes (docs/strategies.md §5).
    Stack,
    /// Loops that are run again from a few of their states (docs/strategies.md §9); all else by closures.
    Checkpoint,
    /// A tape of the operations that a run does (docs/strategies.md §10), for the outermost derivative; those within it are as `Auto`
    /// says, and so is what cannot be traced.
    Trace,
    /// The strategy that suits the function.
    #[default]
    Auto,
}

impl Strategy {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Closure => "closure",
            Strategy::Stack => "stack",
            Strategy::Checkpoint => "checkpoint",
            Strategy::Trace => "trace",
            Strategy::Auto => "auto",
        }
    }
}

/// The strategies asked for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Plan {
    /// The strategy of each order of differentiation, the innermost derivative first; the last one holds of all further orders,
    /// and `Auto` if there is none.
    pub orders: Vec<Strategy>,
    /// By the name of the function in the source, before what its order says.
    pub functions: BTreeMap<String, Strategy>,
    /// How many states of a loop [`Strategy::Checkpoint`] keeps at a time; at least 1.
    pub slots: usize,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { orders: Vec::new(), functions: BTreeMap::new(), slots: Plan::SLOTS }
    }
}

impl From<Strategy> for Plan {
    fn from(strategy: Strategy) -> Plan {
        Plan { orders: vec![strategy], ..Plan::default() }
    }
}

/// What was chosen for a function, and why.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Decision {
    /// The name of the function.
    pub function: String,
    /// Never `Auto`.
    pub strategy: Strategy,
    /// The reason, as a clause.
    pub reason: &'static str,
}

impl Plan {
    /// The states of a loop that are kept, where nobody says how many. They suffice for 12,870 steps, each of which is done again 8 times.
    pub const SLOTS: usize = 8;

    /// The strategy that is asked for.
    pub(crate) fn asked(&self, order: usize, function: &str) -> Strategy {
        let of_order = self.orders.get(order).or(self.orders.last());
        self.functions.get(function).or(of_order).copied().unwrap_or_default()
    }

    /// Whether a strategy is asked for anywhere.
    pub(crate) fn uses(&self, strategy: Strategy) -> bool {
        self.orders.iter().chain(self.functions.values()).any(|&s| s == strategy)
    }

    /// The plan by which nothing is traced.
    pub fn untraced(&self) -> Plan {
        let other = |s: &Strategy| if *s == Strategy::Trace { Strategy::Auto } else { *s };
        let functions = self.functions.iter().map(|(name, s)| (name.clone(), other(s))).collect();
        Plan { orders: self.orders.iter().map(other).collect(), functions, slots: self.slots }
    }

    /// Whether no strategy is named.
    pub fn is_auto(&self) -> bool {
        self.orders.iter().chain(self.functions.values()).all(|&s| s == Strategy::Auto)
    }

    /// Decides for a function under a derivative of the given order (0: the innermost), given the control flow of its region or
    /// why the stack strategy cannot transpose it.
    pub(crate) fn decide(&self, order: usize, function: &str, flow: &Result<Flow, Obstacle>) -> Decision {
        let (strategy, reason) = match (self.asked(order, function), flow) {
            (Strategy::Closure, _) => (Strategy::Closure, "as asked"),
            (_, Err(obstacle)) => (Strategy::Closure, obstacle.reason()),
            (Strategy::Stack, Ok(_)) => (Strategy::Stack, "as asked"),
            (Strategy::Checkpoint, Ok(flow)) if flow.loops.is_empty() => (Strategy::Checkpoint, "as asked"),
            (Strategy::Checkpoint, Ok(_)) => (
                Strategy::Stack,
                "a loop of it prints, goes through several functions, hands on boxes, or has no more trips than there are slots",
            ),
            (Strategy::Trace, Ok(flow)) => (
                if flow.loops.is_empty() { Strategy::Closure } else { Strategy::Stack },
                "it is not the outermost derivative, takes a function or a list of run-time length, or adds boxes, so it is not traced",
            ),
            (Strategy::Auto, Ok(flow)) if flow.loops.is_empty() => {
                (Strategy::Closure, "it has no loop, so its closures are inlined and neither strategy keeps a tape")
            }
            (Strategy::Auto, Ok(_)) => (Strategy::Stack, "its loops keep their values in contiguous records"),
        };
        Decision { function: function.to_owned(), strategy, reason }
    }
}
