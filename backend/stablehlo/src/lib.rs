//! Programs of Gradus in StableHLO, the input language of XLA: text for any of its compilers, of CPUs, GPUs and TPUs.
//!
//! A typed module whose derivatives are expanded becomes a module of functions. Numbers and arrays are tensors; tuples and records are
//! their parts. Branches become `if`, loops `while`, other functions functions. StableHLO has neither function values nor memory that
//! grows: a program that needs them is refused with its place ([`Reason`]).
//!
//! Three things stand for what StableHLO lacks:
//!
//! * **Tapes** are a buffer for each tensor of a record, and a count. The buffer has room for as many records as the program is known
//!   to push, or for as many as [`Options::trips`] says.
//! * **Recursion** is a loop over a machine with a stack of frames, which are buffers, too.
//! * **Traps** are a status, an `i32` that is the first result: 0, or the number of a [`Fault`] of [`Program::faults`]. Without it XLA
//!   would go on with indices that are moved into range and integers that wrap.
//!
//! Read in the order of the modules below.
#![forbid(unsafe_code)]

mod refusal;
mod tensor;

mod op;

mod artifact;
mod bytecode;
mod text;

mod builder;

mod capacity;
mod module;

mod world;

mod flow;
mod function;
mod recursion;

mod heap;

mod arrays;
mod indexing;
mod linear;
mod scalar;
mod special;

pub use module::{Fault, Options, Placement, Program, write};
pub use refusal::{Reason, Refusal};
pub use tensor::{Element, Room, Tensor, leaves};

/// No program has more operations.
pub(crate) const MOST_OPERATIONS: usize = 400_000;
