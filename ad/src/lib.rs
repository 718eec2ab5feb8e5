//! Differentiation: the derivative table, and the expansion of `J`, `K` and `F` by backpropagator closures, by stacks and forwards.
//!
//! Reads in the order of the modules below: the rules, the sweeps that apply them, what is found out before anything is emitted, the
//! transforms, and their expansion.
#![forbid(unsafe_code)]

pub mod rules;

mod regular;
mod squares;

mod cot;

mod sweep;
mod varied;

mod pushforward;

mod program;

mod fixpoint;

mod analysis;

mod activity;

mod convert;

mod checkpoint;

mod flow;

mod order;

mod plan;

mod emit;

mod closure;

mod stack;

mod forward;

mod series;

mod tower;
mod trace;

mod expand;

pub use checkpoint::RunAgain;
pub use expand::{AdError, Expanded, expand, expand_unknown};
pub use plan::{Decision, Plan, Strategy};
pub use regular::is_regular;
pub use squares::smooth_squares;
