//! The interpreter.
//!
//! Each graph is compiled to straight-line code over numbered slots (`compile`); a machine with a frame stack of its own runs
//! it (`machine`), so neither recursion of the program nor the length of its closure chains touches the native stack. Every call
//! in tail position replaces its frame, whoever the callee is.
#![forbid(unsafe_code)]

mod arithmetic;
mod code;
mod compile;
mod heap;
mod machine;
#[cfg(test)]
mod tests;
mod trace;
mod value;

use crate::boundary::check_arguments;
use crate::error::{BackendError, RunError};
use crate::numbers::{Numbers, Over};
use crate::usage::Usage;
use arithmetic::Doubles;
use code::Program;
use gradus_ir::{Call, Module, Value, stack};

pub(crate) use arithmetic::Arithmetic;
pub(crate) use code::ArrayNode;
pub(crate) use value::Val;

/// A program, ready to be interpreted.
#[derive(Debug)]
pub struct Interp {
    program: Program,
}

impl Interp {
    /// Compiles what the entry graph of a typed module reaches.
    pub fn new(module: &Module) -> Result<Interp, BackendError> {
        Ok(Interp { program: stack::deep(|| compile::compile(module, false))? })
    }

    /// Runs the entry graph.
    pub fn run(&self, args: &[Value]) -> Result<Value, RunError> {
        self.run_with_usage(args).map(|(value, _)| value)
    }

    /// Runs the entry graph, and says what that took.
    pub fn run_with_usage(&self, args: &[Value]) -> Result<(Value, Usage), RunError> {
        check_arguments(&self.program.boundary, &self.program.params, args)?;
        machine::run(&self.program, Doubles, args)
    }

    /// The failure of the entry graph of a typed module, and the calls of functions that led there, the innermost first; a derivative's have
    /// its name. None if it does not fail before so many calls are made.
    pub fn failure(module: &Module, args: &[Value], calls: u64) -> Result<Option<(RunError, Vec<Call>)>, BackendError> {
        let program = stack::deep(|| compile::compile(module, true))?;
        let ended = machine::trace(&program, Doubles, args, calls).err();
        Ok(ended.map(|ended| (ended.error, ended.calls)))
    }

    /// Runs the entry graph with other numbers in the place of floats. The module is one of [`gradus_ir::Floats::Any`].
    pub fn run_over<S: Numbers>(&self, numbers: &S, args: &[Value<S::Number>]) -> Result<Value<S::Number>, RunError> {
        check_arguments(&self.program.boundary, &self.program.params, args)?;
        machine::run(&self.program, Over(numbers), args).map(|(value, _)| value)
    }
}
