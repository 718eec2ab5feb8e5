//! Differentiation: the derivative table and the expansion of `J` by the closure strategy.
//!
//! Reads in the order of the modules below: the rules, the reverse sweep that applies them, what the sweep finds out before it
//! emits, and the transform.
#![forbid(unsafe_code)]

pub mod rules;

mod analysis;
mod closure;
mod convert;
mod cot;
mod expand;
mod flow;
mod program;
mod sweep;

pub use expand::{AdError, expand, expand_unknown};
