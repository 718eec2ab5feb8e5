//! The errors of this crate.

use std::path::PathBuf;
use thiserror::Error;

/// Why XLA gives no answer.
#[derive(Clone, Error, Debug)]
#[non_exhaustive]
pub enum PjrtError {
    /// The shared library cannot be loaded.
    #[error("cannot load the XLA plugin {path}: {message}")]
    Load {
        /// The path as it was given.
        path: PathBuf,
        /// The message of the system.
        message: String,
    },
    /// It is a plugin of another version.
    #[error("the XLA plugin {path} has version {found:?} of the interface, {expected:?} or a later one before {} is needed", expected.0 + 1)]
    Version {
        /// The path as it was given.
        path: PathBuf,
        /// Its version, major and minor.
        found: (i32, i32),
        /// That of the declarations here.
        expected: (i32, i32),
    },
    /// The plugin lacks a function.
    #[error("the XLA plugin has no function {0}")]
    Missing(&'static str),
    /// XLA refused to do something.
    #[error("XLA cannot {doing}: {message}")]
    Xla {
        /// The request.
        doing: &'static str,
        /// The first lines of its message.
        message: String,
    },
    /// The arguments do not fit.
    #[error("{0}")]
    Arguments(String),
}

/// The first lines of a message of XLA, which may be as long as a program.
pub(crate) fn shortened(message: &str) -> String {
    const LINES: usize = 6;
    const WIDTH: usize = 300;
    let line = |line: &str| line.chars().take(WIDTH).collect::<String>();
    message.lines().take(LINES).map(line).collect::<Vec<_>>().join("\n")
}
