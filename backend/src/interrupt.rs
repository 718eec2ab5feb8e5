//! Ends runs from outside, as Ctrl-C does: loops of code that is compiled to be interrupted look at one flag.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether runs are to end.
pub(crate) static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// Lets all runs of this process that can be interrupted end with a trap: those that go on, and those that begin until [`clear`] is
/// called. A handler of signals may call it.
pub fn ask() {
    IS_ASKED.store(true, Ordering::Relaxed);
}

/// Lets runs go on again.
pub fn clear() {
    IS_ASKED.store(false, Ordering::Relaxed);
}

/// Whether runs are to end.
pub(crate) fn is_asked() -> bool {
    IS_ASKED.load(Ordering::Relaxed)
}
