//! What programs print goes to `sys.stdout` of Python when the call ends: in it, code of Python may not run.

use pyo3::prelude::*;
use std::cell::{Cell, RefCell};

thread_local! {
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
    static IS_READY: Cell<bool> = const { Cell::new(false) };
}

/// Lets calls on this thread keep what they print.
#[inline]
pub fn prepare() {
    if !IS_READY.replace(true) {
        gradus::print_to(Some(Box::new(|text| PRINTED.with_borrow_mut(|printed| printed.push_str(text)))));
    }
}

/// Lets nobody see what programs print on this thread until calls keep it again.
pub fn silence() {
    gradus::print_to(Some(Box::new(|_| {})));
    IS_READY.set(false);
}

/// Hands on what was printed.
#[inline]
pub fn flush(py: Python<'_>) -> PyResult<()> {
    if PRINTED.with_borrow(String::is_empty) {
        return Ok(());
    }
    let printed = PRINTED.with_borrow_mut(std::mem::take);
    py.import("sys")?.getattr("stdout")?.call_method1("write", (printed,)).map(drop)
}
