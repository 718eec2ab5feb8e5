//! How a derivative of some order is taken: a way for each order, as a word.

use gradus::{Closures, Mode, Options, Plan, Strategy};
use std::fmt;

/// How a derivative of one order is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    Reverse(Strategy),
    /// By closures, which stay objects.
    Objects,
    Forward,
}

pub const CLOSURE: Way = Way::Reverse(Strategy::Closure);
pub const STACK: Way = Way::Reverse(Strategy::Stack);
pub const AUTO: Way = Way::Reverse(Strategy::Auto);
pub const FORWARD: Way = Way::Forward;
pub const OBJECTS: Way = Way::Objects;

/// The ways of all orders, the innermost first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word(pub Vec<Way>);

impl Word {
    /// All words of a length over some ways.
    pub fn all(ways: &[Way], length: usize) -> Vec<Word> {
        let shorter = if length == 0 { return vec![Word(Vec::new())] } else { Word::all(ways, length - 1) };
        shorter.iter().flat_map(|w| ways.iter().map(|&way| Word([&w.0[..], &[way]].concat()))).collect()
    }

    /// The mode of each order.
    pub fn modes(&self) -> Vec<Mode> {
        let mode = |way: &Way| if *way == FORWARD { Mode::Forward } else { Mode::Reverse };
        self.0.iter().map(mode).collect()
    }

    /// Options with the strategies of the orders; those of forward mode have none. Few slots, so that schedules have something to decide.
    pub fn options(&self) -> Options {
        let strategy = |way: &Way| match *way {
            Way::Reverse(strategy) => strategy,
            Way::Objects => Strategy::Closure,
            Way::Forward => Strategy::default(),
        };
        let plan = Plan { orders: self.0.iter().map(strategy).collect(), slots: 2, ..Plan::default() };
        let closures = if self.0.contains(&OBJECTS) { Closures::Objects } else { Closures::default() };
        Options { plan, closures, ..Options::default() }
    }
}

impl fmt::Display for Word {
    /// As a composition: the outermost first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, way) in self.0.iter().rev().enumerate() {
            let name = match way {
                Way::Reverse(strategy) => strategy.name(),
                Way::Objects => "objects",
                Way::Forward => "forward",
            };
            write!(f, "{}{name}", if i == 0 { "" } else { "∘" })?;
        }
        Ok(())
    }
}
