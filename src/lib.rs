//! Gradus, a differentiating compiler.
//!
//! A program in a subset of Python goes in; its value and its gradient come out of native code, or of an interpreter.
//!
//! ```
//! use gradus::{Engine, Source};
//!
//! let engine = Engine::default();
//! let program = engine.parse(Source::new("pow.py", "
//! def pow(x, n):
//!     r = 1
//!     while n > 0:
//!         n = n - 1
//!         r = r * x
//!     return r
//! "))?;
//! let gradient = program.function("pow")?.value_and_grad::<(f64, i64)>()?;
//!
//! assert_eq!(gradient.call((2.0, 3))?, (8.0, (12.0, ())));
//! # Ok::<(), gradus::Error>(())
//! ```
//!
//! The crates underneath: `gradus-ir` (the intermediate representation), `gradus-ad` (differentiation), `gradus-opt` (the
//! simplifier), `gradus-backend` (interpreter and native code), `gradus-frontend` (Python). [`pipeline`] orders their passes.
#![forbid(unsafe_code)]

mod differentiable;
mod engine;
mod error;
mod mode;
mod options;
mod primitive;
mod records;
mod request;
mod typed;

pub mod compare;
pub mod json;
pub mod npy;
pub mod numbers;
pub mod pipeline;
pub mod recorded;
#[doc(hidden)]
pub mod rust;
pub mod svg;

pub use differentiable::{Derivatives, Differentiable};
pub use engine::{Compiled, Engine, Function, Program, active, spread};
pub use error::Error;
pub use gradus_ad::{Decision, Plan, Strategy};
pub use gradus_ir::{Array, DType, Diagnostic, Dims, Elements, Module, Type, Value};
pub use gradus_macros::{Value, differentiable};
pub use gradus_opt::{Closures, Math};
pub use mode::{Mode, ModeDecision};
pub use options::{Backend, Options, Simplify};
pub use primitive::Primitive;
pub use request::Request;
pub use typed::{Args, Argument, Constant, Data, Element, Record, Static, Typed, to_value};

/// The example of README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// A source file: its name, as messages show it, and its text.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
}

impl Source {
    /// A file by name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into() }
    }
}
