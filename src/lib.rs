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
//! # A tour
//!
//! An [`Engine`] parses a [`Source`] to a [`Program`], which has [`Function`]s. A function becomes a callable for Rust types: the function
//! itself by [`Function::typed`], a derivative by
//!
//! | | gives |
//! |---|---|
//! | [`Function::grad`], [`Function::value_and_grad`] | the gradient, an entry for each argument |
//! | [`Function::jvp`] | the value and its tangent in one direction |
//! | [`Function::vjp`] | the value and a [`Pullback`], which makes a gradient of each cotangent |
//! | [`Function::jacobian`] | all partial derivatives of a function of any result |
//! | [`Function::hessian`], [`Function::hvp`] | second derivatives, or their product with a vector |
//! | [`Function::request`] | any [`Request`], such as derivatives of higher order |
//!
//! **Types.** [`Data`] lists the Rust types that programs know, `f64` to arrays of `ndarray` and structs ([`Record`]). Types are checked
//! when the callable is made; a call then copies scalars into words, runs machine code and reads the result: no value is boxed, and
//! nothing is allocated but arrays. Of an array the type says how many axes there are, and how long they are the arguments say: a
//! callable is compiled anew for sizes that it has not seen. Wherever a callable takes an array it takes views, slices and references
//! ([`Argument`]).
//!
//! ```
//! use gradus::{Constant, Engine, Source};
//!
//! let text = "
//! import numpy as np
//! def loss(w, x, y): return np.mean((np.tanh(x @ w) - y) ** 2)
//! ";
//! let loss = Engine::default().parse(Source::new("loss.py", text))?.function("loss")?;
//! let gradient = loss.grad::<(Vec<f64>, Constant<ndarray::Array2<f64>>, Constant<Vec<f64>>)>()?;
//!
//! let (x, y) = (ndarray::array![[0.0, 1.0], [1.0, 1.0]], [0.5, 0.25]);
//! let mut w = vec![0.1, 0.2];
//! for _ in 0..100 {
//!     let (dw, (), ()) = gradient.call((&w, &x, &y))?;
//!     w.iter_mut().zip(dw).for_each(|(w, dw)| *w -= 0.5 * dw);
//! }
//! assert!((w[1].tanh() - 0.5).abs() < 1e-3);
//! # Ok::<(), gradus::Error>(())
//! ```
//!
//! **Threads.** Programs, functions, callables and pullbacks are `Send` and `Sync`; calls of one callable run side by side.
//!
//! **Rust in programs.** A [`Primitive`] is a function of Rust that programs call, with rules for its derivatives; it also gives rules to
//! functions of the program.
//!
//! **Without a source.** A [`ModuleBuilder`] makes programs of primitives and calls.
//!
//! **Looking inside.** [`Typed::compiled`] gives the program at every stage as text or a graph ([`Compiled::stage`]), its machine code, and
//! what the passes did ([`Compiled::report`]); [`page`] shows it all
//! in a browser. [`Options`] choose between strategies of reverse mode, backends and rewrites.
//!
//! **Ahead of time.** A [`Library`] is an object file with functions for C, and a header.
//!
//! **Errors.** All that can go wrong is an [`Error`], by whose fault it is; those of a program have places in its text, and
//! [`Error::render`] shows them there.
//!
//! Values whose types are known at run time alone go through [`Function::run`]. Other numbers than floats are in [`numbers`], the
//! comparison of ways to a derivative in [`compare`], that of many programs in [`study`].
//!
//! The crates underneath: `gradus-ir` (the intermediate representation), `gradus-ad` (differentiation), `gradus-opt` (the
//! simplifier), `gradus-backend` (interpreter and native code), `gradus-frontend` (Python). [`pipeline`] orders their passes.
#![forbid(unsafe_code)]

mod build;
mod differentiable;
mod engine;
mod error;
mod inspect;
mod library;
mod mode;
mod options;
mod prepared;
mod primitive;
mod records;
mod request;
mod shared;
mod stage;
mod typed;

pub mod compare;
pub mod explain;
pub mod json;
pub mod npy;
pub mod numbers;
pub mod page;
pub mod pipeline;
pub mod plot;
pub mod raw;
pub mod recorded;
#[doc(hidden)]
pub mod rust;
pub mod study;
pub mod svg;
pub mod xla;

pub use build::{GraphBuilder, ModuleBuilder, Node};
pub use differentiable::{Derivatives, Differentiable};
pub use engine::{Compiled, Engine, Function, Program, active, spread};
pub use error::Error;
pub use gradus_ad::{Decision, Plan, RunAgain, Strategy};
pub use gradus_backend::interrupt;
pub use gradus_backend::jit::object::Cpu;
pub use gradus_backend::output::{Sink, print_to};
pub use gradus_ir::{
    Array, Call, DType, Diagnostic, Dims, Elements, Key, Module, Prim, Reason, Schema, Section, Span, TrapKind, Type, Value,
};
pub use gradus_macros::{Value, differentiable};
pub use gradus_opt::{Choice, Closures, Math, PASSES, Rule};
pub use inspect::Inspect;
pub use library::{Library, signature};
pub use mode::{Mode, ModeDecision};
pub use options::{Backend, Options, Simplify};
pub use prepared::{Held, Prepared};
pub use primitive::Primitive;
pub use request::Request;
pub use stage::{Stage, View};
pub use typed::{Args, Argument, Constant, Data, Element, Hvp, Jvp, Pullback, Pulled, Record, Static, Typed, Vjp, to_value};

/// The example of README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// A source file: its name, as messages show it, and its text.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    sections: Vec<Section>,
    given: Vec<String>,
}

impl Source {
    /// A file by name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        Source { name: name.into(), text: text.into(), sections: Vec::new(), given: Vec::new() }
    }

    /// The same text, which is put together of these parts of other files, in order: messages name them.
    pub fn with_sections(self, sections: Vec<Section>) -> Source {
        Source { sections, ..self }
    }

    /// The same text, in which all functions may read parameters of these names as if they were names of the top level: those of the
    /// function that [`Program::function`] is asked for.
    ///
    /// ```
    /// use gradus::{Engine, Source};
    ///
    /// let text = "def scaled(x): return k * x\ndef main(x, k): return scaled(x) + scaled(1.0)";
    /// let program = Engine::default().parse(Source::new("scaled.py", text).with_given(vec!["k".into()]))?;
    /// assert_eq!(program.function("main")?.grad::<(f64, f64)>()?.call((2.0, 5.0))?, (5.0, 3.0));
    /// # Ok::<(), gradus::Error>(())
    /// ```
    pub fn with_given(self, names: Vec<String>) -> Source {
        Source { given: names, ..self }
    }
}
