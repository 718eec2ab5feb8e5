//! Executors: the interpreter, which is the meaning of the language, and the Cranelift JIT.
//!
//! Both run the entry graph of a typed [`gradus_ir::Module`] on [`gradus_ir::Value`]s and give the same bits and the same traps.
//! Neither changes the module.
#![deny(unsafe_code)]

mod arrays;
pub mod error;
pub mod interp;
pub mod interrupt;
pub mod jit;
pub mod kernels;
pub mod memory;
pub mod numbers;

pub mod boundary;
mod callees;
mod host;
mod order;
pub mod output;
mod strings;
#[cfg(test)]
mod testing;
mod usage;

pub use arrays::{Slice, Storage};
pub use error::{BackendError, RunError};
pub use interp::Interp;
pub use jit::{Jit, Pullback, Slot};
pub use numbers::{Numbers, Undefined};
pub use usage::Usage;
