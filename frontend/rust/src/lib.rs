//! The Rust front end: a function with `#[gradus::differentiable]` becomes a module of the IR.
//!
//! A macro cannot ask rustc for the types of what it is applied to, nor for the text of the functions that are called. So it checks
//! one function alone ([`check`]), which finds what is outside of the subset, and leaves the function's text behind as an [`Item`]
//! with the items that it refers to, which rustc's name resolution finds. When the program runs, `lower` reads these texts, checks
//! them together, which finds all types, and makes the module.
#![forbid(unsafe_code)]

pub mod check;
pub mod data;
mod expand;
#[cfg(feature = "lower")]
pub mod lower;
mod names;
pub mod program;
pub mod refusal;
mod types;

pub use program::{Alias, Constant, Item, Program, Reference, Syntax};
pub use refusal::Refusal;
pub use types::{Int, Kind, Ty, Types};
