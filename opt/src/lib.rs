//! The simplifier of Gradus: graph passes around equality saturation.
//!
//! [`simplify()`] takes a typed module and keeps its meaning: with [`Math::Exact`] to the bit (all NaNs count as one). It may lose a
//! trap whose value nobody needs and never adds one. All limits are numbers of nodes and rounds, never seconds, and nothing
//! depends on the iteration order of a hash map, so the result is the same on every machine.
//!
//! Read in the order of the modules below.
#![forbid(unsafe_code)]

mod simplify;

mod fold;

mod number;

mod inline;

mod policy;

mod budget;

mod contify;

mod branches;

mod params;

mod tuples;

mod ranges;

mod batch;

mod tapes;

mod closures;

mod chains;

mod contract;

mod veils;

mod sink;

mod watch;

mod entries;

pub mod egraph;

pub mod rules;

mod calls;
mod interval;
mod nesting;
mod report;

pub use chains::has_boxes;
pub use entries::{all_places, found_entries};
pub use ranges::plain_indices;
pub use report::{Compressed, Observer, PassReport, Recomputed, Report};
pub use rules::{Choice, Rule};
pub use simplify::{CONTRADICTIONS, PASSES, simplify};
pub use sink::sink_broadcasts;
pub use tapes::{Stored, Why, stored};
pub use veils::{lift_all_veils, lift_veils};
pub use watch::watch;

use std::sync::Arc;

/// Which rewrites of arithmetic are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Math {
    /// Those that keep the bits of every result (all NaNs count as one).
    #[default]
    Exact,
    /// Also those that hold over the reals.
    Fast,
}

/// What becomes of closures whose creator and whose callers are known; each step includes those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Closures {
    /// They are objects, called by the address that they hold.
    Objects,
    /// A parameter that is one of several closures is a tag and what they capture (Reynolds 1972).
    Tags,
    /// Chains of closures, each of which captures the one before, are tapes.
    #[default]
    Tapes,
}

impl Closures {
    /// All steps.
    pub const ALL: [Closures; 3] = [Closures::Objects, Closures::Tags, Closures::Tapes];

    /// The name of the step.
    pub fn name(self) -> &'static str {
        match self {
            Closures::Objects => "objects",
            Closures::Tags => "tags",
            Closures::Tapes => "tapes",
        }
    }
}

/// What the simplifier may do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Which rewrites of arithmetic are allowed.
    pub math: Math,
    /// What becomes of closures.
    pub closures: Closures,
    /// Run equality saturation.
    pub saturate: bool,
    /// A graph of at most this many nodes, nested graphs included, is inlined at each of its calls.
    pub inline_size: usize,
    /// The same for a graph that takes or returns functions: only inlining lets its closures disappear.
    pub inline_closure_size: usize,
    /// Into a function, no more is copied than this times its nodes at the start, plus 10³.
    pub growth: usize,
    /// Into all functions together, no more nodes are copied than this.
    pub copies: usize,
    /// Rounds over the graph passes.
    pub rounds: usize,
    /// A value that takes at most this many cheap operations is computed again by the adjoint and not recorded.
    pub recompute: usize,
    /// The passes that do not run, of [`PASSES`].
    pub without: Vec<&'static str>,
    /// The rules of saturation.
    pub rules: Arc<Choice>,
    /// After so many runs of passes that change something, none runs any more.
    pub passes: usize,
    /// Who is shown what passes change.
    pub observer: Option<Observer>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            math: Math::Exact,
            closures: Closures::Tags,
            saturate: true,
            inline_size: 40,
            inline_closure_size: 4000,
            growth: 8,
            copies: usize::MAX,
            rounds: 60,
            recompute: 8,
            without: Vec::new(),
            rules: Choice::table(),
            passes: usize::MAX,
            observer: None,
        }
    }
}
