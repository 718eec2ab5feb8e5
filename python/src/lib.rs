//! The native part of the Python package `gradus`: programs, what they are compiled to, and calls.
//!
//! The package captures a live function as the text of a program (`gradus/_capture.py`). A [`Program`](program::Program) is that text; a
//! [`Prepared`](prepared::Prepared) is it compiled for arguments of some types; a [`Callable`](callable::Callable) is what users call: it
//! finds what was prepared for arguments like these, and asks Python where nothing was.
#![deny(unsafe_code)]

mod arrays;
mod callable;
mod classes;
mod errors;
mod export;
mod kind;
mod options;
mod place;
mod prepared;
mod printing;
mod program;
mod signals;
mod study;
mod values;

use pyo3::prelude::*;

/// The native part of the package.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::callable::{Callable, bypass};
    #[pymodule_export]
    use super::prepared::{Prepared, Pullback};
    #[pymodule_export]
    use super::program::Program;
    #[pymodule_export]
    use super::study::{Report, Study};
}
