//! The stacks that compiled code runs on, each with a context. One is kept for each thread.

use super::heap::Context;
use corosensei::stack::{DefaultStack, Stack};
use std::cell::Cell;

/// How much of the stack helpers and their callees may use.
pub const HELPER_STACK: usize = 256 << 10;

/// What a run needs besides code.
pub struct Place {
    pub stack: DefaultStack,
    pub context: Context,
}

thread_local! {
    /// That of this thread, so that nobody waits for a lock. A run within a run takes another.
    static KEPT: Cell<Option<Box<Place>>> = const { Cell::new(None) };
}

/// A place for a run, from an earlier run if there was one.
#[inline]
pub fn take() -> std::io::Result<Box<Place>> {
    match KEPT.try_with(Cell::take) {
        Ok(Some(place)) => Ok(place),
        _ => new(),
    }
}

/// A place that no run has had.
pub fn new() -> std::io::Result<Box<Place>> {
    Ok(Box::new(Place { stack: gradus_ir::stack::reserve()?, context: Context::new() }))
}

/// Gives a place back, after a run that has ended.
#[inline]
pub fn give(mut place: Box<Place>) {
    place.context.end();
    // A thread that is ending keeps nothing.
    let _ = KEPT.try_with(|kept| kept.set(Some(place)));
}

/// The lowest stack pointer at which a call may begin that needs up to `reserve` bytes.
pub fn limit(stack: &DefaultStack, reserve: usize) -> usize {
    // A guard page lies at the lower end, of 64 KiB at most on any host.
    stack.limit().get() + (64 << 10) + reserve
}
