//! What executors fail with.

use gradus_ir::{Diagnostic, Span, Trap, TrapKind, Type};
use thiserror::Error;

/// A program could not be compiled. Never the fault of the program, which inference accepted.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum BackendError {
    /// A construct that this executor does not cover.
    #[error("{what} cannot be compiled")]
    Unsupported {
        /// What it is.
        what: String,
        /// Where, if it is at one place.
        span: Option<Span>,
    },
    /// The code generator or the host refused.
    #[error("code generation failed: {message}")]
    Jit {
        /// What it said.
        message: String,
    },
    /// There is no memory for the code.
    #[error("out of memory")]
    OutOfMemory,
    /// The module is not what a typed module must be.
    #[error("internal fault: {message}")]
    Internal {
        /// What was expected.
        message: String,
    },
}

impl BackendError {
    /// The same error, at this place if it has none.
    pub(crate) fn at(self, place: Span) -> BackendError {
        match self {
            BackendError::Unsupported { what, span } => BackendError::Unsupported { what, span: span.or(Some(place)) },
            other => other,
        }
    }
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
    /// The program failed with a message of its own: by `assert` or `raise`.
    #[error("{message}")]
    Failed {
        /// What it says.
        message: String,
        /// Where.
        span: Span,
    },
    /// The arguments are not those of the entry graph.
    #[error("the program takes {expected}, not {found}")]
    Arguments {
        /// The parameter types.
        expected: Type,
        /// The types of the values given.
        found: Type,
    },
    /// The result is nested too deep to be handed out.
    #[error("the result is nested more than {depth} deep")]
    Nested {
        /// How deep it may be.
        depth: usize,
    },
    /// The module was not what a typed module must be.
    #[error("internal fault: {message}")]
    Internal {
        /// What was expected.
        message: String,
    },
}

impl RunError {
    /// The program needs more memory than a run may take.
    pub(crate) fn no_memory(span: Span) -> RunError {
        Trap { kind: TrapKind::OutOfMemory, span }.into()
    }
}

/// Why there is no sum of two cotangents.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The shapes differ.
    Shape,
    /// There is no memory for it.
    Memory,
}
