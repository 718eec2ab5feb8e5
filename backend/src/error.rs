//! What executors fail with.

use gradus_ir::{Diagnostic, Trap, Type, Value};
use thiserror::Error;

/// A program could not be compiled. Never the fault of the program, which inference accepted.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum BackendError {
    /// A construct that this executor does not cover.
    #[error("{what} cannot be compiled")]
    Unsupported {
        /// What it is.
        what: String,
    },
    /// The code generator or the host refused.
    #[error("code generation failed: {message}")]
    Jit {
        /// What it said.
        message: String,
    },
    /// The module is not what a typed module must be.
    #[error("internal fault: {message}")]
    Internal {
        /// What was expected.
        message: String,
    },
}

/// A run did not end with a value.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum RunError {
    /// The program failed.
    #[error(transparent)]
    Trap(#[from] Trap),
    /// Something has no value among the numbers that the program is run over.
    #[error("{0}")]
    Refused(Box<Diagnostic>),
    /// The arguments are not those of the entry graph.
    #[error("the program takes {expected}, not {found}")]
    Arguments {
        /// The parameter types.
        expected: Type,
        /// The types of the values given.
        found: Type,
    },
    /// The module was not what a typed module must be.
    #[error("internal fault: {message}")]
    Internal {
        /// What was expected.
        message: String,
    },
}

/// Checks that `args` are values of the parameter types `params`.
pub(crate) fn check_arguments<F>(params: &[Type], args: &[Value<F>]) -> Result<(), RunError> {
    if params.len() == args.len() && params.iter().zip(args).all(|(p, a)| *p == a.ty()) {
        return Ok(());
    }
    Err(RunError::Arguments { expected: Type::tuple(params.iter().cloned()), found: Type::tuple(args.iter().map(Value::ty)) })
}

/// Whether values of this type can enter and leave a program.
pub(crate) fn is_data(ty: &Type) -> bool {
    match ty {
        Type::F64 | Type::I64 | Type::Bool | Type::Array(..) | Type::Str | Type::None | Type::Zero => true,
        Type::Tuple(items) => items.iter().all(is_data),
        Type::Unknown | Type::Opaque | Type::AnyFn | Type::Fn(_) | Type::Tape(_) => false,
    }
}
