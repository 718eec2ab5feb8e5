//! Differentiation: the derivative table and the expansion of `J` by the closure strategy.
//!
//! Reads in the order of the modules below: the rules, the reverse sweep that applies them, what the sweep finds out before it
//! emits, and the transform.
#![forbid(unsafe_code)]

pub mod rules;

mod activity;
mod analysis;
mod closure;
mod convert;
mod cot;
mod emit;
mod expand;
mod flow;
mod forward;
mod plan;
mod program;
mod pushforward;
mod stack;
mod sweep;

pub use expand::{AdError, Expanded, expand, expand_unknown};
pub use plan::{Decision, Plan, Strategy};
