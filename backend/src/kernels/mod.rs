//! Kernels: fused elementwise computations over arrays, and reductions of what they give.
//!
//! A [`Kernel`] is built from expressions over the points of an iteration space (`build`). It takes the points in chunks that
//! stay in the first cache, and runs one block function after the other over each (`run`, `schedule`). Block functions are compiled
//! for several instruction sets (`isa`), one for each primitive and type of operands (`blocks`). Operands that do not lie dense in
//! memory are gathered first (`view`). Reductions have one order (`reduce`). What is
//! large is divided among threads (`parallel`).
//!
//! Whatever executes a kernel, on whatever number of threads, its results have the same bits.
#![allow(unsafe_code)]
#![warn(clippy::undocumented_unsafe_blocks)]

mod blocks;
mod build;
mod isa;
mod matmul;
mod matvec;
#[cfg(target_arch = "x86_64")]
mod native;
#[cfg(target_arch = "x86_64")]
mod panels;
mod parallel;
mod reduce;
mod run;
mod schedule;
#[cfg(test)]
mod tests;
mod tiles;
mod view;

pub use build::{Builder, Joined, ValueId, result_dtype};
pub(crate) use build::{Expr, Output, Part};
pub(crate) use matmul::SAME_ORDER;
pub use matmul::{Float, matmul};
pub use reduce::Reduction;
pub(crate) use reduce::{BLOCK, LANES};
pub use run::Kernel;
pub(crate) use tiles::columns;
