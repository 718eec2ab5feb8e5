//! Ctrl-C ends a long call.
#![allow(unsafe_code)]
#![warn(clippy::undocumented_unsafe_blocks)]

use gradus::{Error, TrapKind, interrupt};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use signal_hook::consts::SIGINT;
use signal_hook::low_level;
use std::sync::Once;

/// Lets Ctrl-C from now on end calls; one that came before, while code of Python ran, is Python's.
#[inline]
pub fn prepare() {
    static READY: Once = Once::new();
    READY.call_once(|| {
        // SAFETY: a handler of signals may write to an atomic. Python's own handler is called, too.
        let registered = unsafe { low_level::register(SIGINT, interrupt::ask) };
        // Without it, Ctrl-C waits for the end of the call.
        drop(registered);
    });
    interrupt::clear();
}

/// What Python raises for a call that Ctrl-C ended.
pub fn raised(py: Python<'_>, error: &Error) -> Option<PyErr> {
    match error {
        Error::Trap(trap) if trap.kind == TrapKind::Interrupted => {
            interrupt::clear();
            Some(py.check_signals().err().unwrap_or_else(|| PyKeyboardInterrupt::new_err(())))
        }
        _ => None,
    }
}
