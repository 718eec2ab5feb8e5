//! The intermediate representation of Gradus: a graph-based functional IR in the Myia/Thorin tradition.
//!
//! Read in the order of the modules below. This crate names `J` and the cotangent types, so that a program that differentiates
//! can be typed; how to expand them is the business of `gradus-ad` alone.
#![forbid(unsafe_code)]

pub mod array;
pub mod data;
pub mod graph;
pub mod host;
pub mod prim;
pub mod types;

pub mod build;
pub mod cfg;
pub mod clone;
pub mod dot;
pub mod drawing;
pub mod elementary;
pub mod entries;
pub mod eval;
pub mod format;
mod gamma;
pub mod infer;
pub mod key;
mod marks;
pub mod memory;
mod nearest;
pub mod nest;
pub mod operators;
pub mod parse;
pub mod print;
pub mod span;
pub mod ssa;
pub mod stack;
pub mod value;
pub mod verify;

pub use array::{ArrayOp, DType, Dims};
pub use data::{Boundary, Class, Content, Form, Schema};
pub use eval::Floats;
pub use graph::{Const, Flavor, Graph, GraphId, Kind, Module, Node, NodeId, Role, Tail, Use};
pub use host::Host;
pub use key::Key;
pub use memory::{Boxed, Memory, OnBox, Taken, Write};
pub use nearest::nearest;
pub use nest::{Nest, Variables};
pub use prim::{Effect, Prim, Sig, TraceOp};
pub use span::{Call, Diagnostic, Reason, Section, Source, Span, Trap, TrapKind};
pub use types::{FnType, Type};
pub use value::{Array, Elements, Number, Rounding, Value};
