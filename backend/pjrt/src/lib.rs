//! XLA's compilers and devices, by PJRT, their interface for C.
//!
//! A plugin is a shared library with one function, `GetPjrtApi`, that gives a table of others. There are plugins for CPUs, GPUs and TPUs;
//! a program in StableHLO runs on each. This crate loads one by its path, compiles, moves arrays and runs:
//!
//! ```no_run
//! use gradus_pjrt::{HostArray, Plugin};
//!
//! let client = Plugin::load("xla_cpu_pjrt.so".as_ref())?.client(&[])?;
//! let program = "module { func.func public @main(%0: tensor<f64>) -> (tensor<f64>) {
//!     %1 = stablehlo.sine %0 : tensor<f64>
//!     return %1 : tensor<f64>
//! } }";
//! let sine = client.compile(program, 1)?;
//! let results = sine.run(&[vec![HostArray::from(1.0)]])?;
//! assert_eq!(results[0][0].floats(), Some(vec![1_f64.sin()]));
//! # Ok::<(), gradus_pjrt::PjrtError>(())
//! ```
//!
//! All `unsafe` code for XLA is here. **Nothing of a plugin is trusted beyond the interface's promises**: each structure has its size,
//! and each call's error is looked at. A plugin is never unloaded, since its threads run on.

mod sys;

mod array;
mod client;
mod error;
mod executable;
mod mesh;
mod options;
mod plugin;

pub use array::{Element, HostArray};
pub use client::{Buffer, Client};
pub use error::PjrtError;
pub use executable::Executable;
pub use mesh::{Layout, Mesh};
pub use plugin::{Plugin, Setting};
