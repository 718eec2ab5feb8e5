//! What can go wrong, and whose fault it is.

use gradus_backend::{BackendError, RunError};
use gradus_ir::{Call, Diagnostic, Reason, Source, Span, Trap, TrapKind};
use thiserror::Error;

/// What is asked of who meets a fault of ours.
const REPORT: &str = concat!(
    "this is a fault of Gradus ",
    env!("CARGO_PKG_VERSION"),
    " and not of the program; please report it, with the program, the command and this message"
);

/// Why there is no answer.
#[derive(Clone, Debug, Error)]
pub enum Error {
    /// The program, or what was asked of it, was not accepted.
    #[error("{}", messages(.0))]
    Refused(Vec<Diagnostic>),
    /// The program failed while it ran.
    #[error(transparent)]
    Trap(#[from] Trap),
    /// The program failed with a message of its own.
    #[error("{message}")]
    Failed {
        /// What it says.
        message: String,
        /// Where.
        span: Span,
    },
    /// The program failed, and these calls led there.
    #[error("{error}")]
    Called {
        /// How it failed.
        error: Box<Error>,
        /// The calls, the innermost first.
        calls: Vec<Call>,
    },
    /// The file could not be read.
    #[error("cannot read {path}: {message}")]
    File {
        /// The path as it was given.
        path: String,
        /// What the system said.
        message: String,
    },
    /// A file that was asked for could not be written.
    #[error("cannot write {path}: {message}")]
    Output {
        /// The path as it was given.
        path: String,
        /// What the system said.
        message: String,
    },
    /// The arguments, or the cotangent of the result, are not what the function takes.
    #[error("{0}")]
    Arguments(String),
    /// Asked for what this version does not do.
    #[error("{0}")]
    Unavailable(String),
    /// `check` found a gradient that differences do not confirm.
    #[error("the gradient is not what finite differences say: {0}")]
    Disagreement(String),
    /// `check` found a point where the function has no derivative: ways to one that are all right where it has one differ there.
    #[error("not differentiable here: {0}")]
    Singular(String),
    /// A fault of Gradus itself.
    #[error("internal fault: {0}")]
    Internal(String),
}

impl Error {
    /// The exit code of the command (docs/command.md): 1 the program failed, 2 refused, 3 Python that is not covered, 4 our fault.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Called { error, .. } => error.exit_code(),
            Error::Trap(_) | Error::Failed { .. } | Error::Disagreement(_) | Error::Singular(_) => 1,
            Error::Refused(list) if list.iter().any(|d| d.reason == Reason::Refused) => 2,
            Error::Refused(_) => 3,
            Error::File { .. } | Error::Output { .. } | Error::Arguments(_) | Error::Unavailable(_) => 2,
            Error::Internal(_) => 4,
        }
    }

    /// The place in the source; none where it is about no place.
    pub fn span(&self) -> Span {
        match self {
            Error::Refused(list) => list.first().map_or(Span::NONE, |d| d.span),
            Error::Trap(trap) => trap.span,
            Error::Failed { span, .. } => *span,
            Error::Called { error, .. } => error.span(),
            _ => Span::NONE,
        }
    }

    /// The calls that led to the place, the innermost first.
    pub fn calls(&self) -> &[Call] {
        match self {
            Error::Refused(list) => list.first().map_or(&[], |d| &d.calls),
            Error::Called { calls, .. } => calls,
            _ => &[],
        }
    }

    /// The message with the source line, caret and hint, where there is a place in the source.
    pub fn render(&self, source: Option<&Source>) -> String {
        match self {
            Error::Refused(list) => gradus_frontend::render(list, source),
            Error::Trap(_) | Error::Failed { .. } | Error::Called { .. } => {
                let d = Diagnostic { calls: self.calls().to_vec(), ..Diagnostic::refused(self.span(), self.to_string()) };
                gradus_frontend::render(&[d], source)
            }
            Error::Internal(_) => format!("error: {self}\n  hint: {}\n", REPORT),
            other => format!("error: {other}\n"),
        }
    }
}

fn messages(list: &[Diagnostic]) -> String {
    list.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n")
}

impl From<Vec<Diagnostic>> for Error {
    fn from(list: Vec<Diagnostic>) -> Error {
        Error::Refused(list)
    }
}

impl From<BackendError> for Error {
    fn from(e: BackendError) -> Error {
        match e {
            BackendError::Unsupported { ref what, span: Some(span) } => {
                Error::Refused(vec![Diagnostic::unsupported(span, format!("{what} cannot be compiled ahead of time"))])
            }
            BackendError::OutOfMemory => Error::Trap(Trap { kind: TrapKind::OutOfMemory, span: Span::NONE }),
            e => Error::Internal(e.to_string()),
        }
    }
}

impl From<RunError> for Error {
    fn from(e: RunError) -> Error {
        match e {
            RunError::Trap(trap) => Error::Trap(trap),
            RunError::Failed { message, span } => Error::Failed { message, span },
            RunError::Refused(diagnostic) => Error::Refused(vec![*diagnostic]),
            other => Error::Internal(other.to_string()),
        }
    }
}
