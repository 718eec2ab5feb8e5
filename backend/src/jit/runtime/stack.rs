//! The stacks that compiled code runs on, each with a context. They are kept between runs.

use super::heap::Context;
use corosensei::stack::{DefaultStack, Stack};
use std::cell::RefCell;

/// What a stack reserves of the address space; a page takes memory once it has been touched.
const SIZES: [usize; 3] = [1 << 30, 256 << 20, 64 << 20];

/// How much of the stack helpers and their callees may use.
pub const HELPER_STACK: usize = 256 << 10;

/// How many are kept for a thread: more than there are runs within runs.
const MAX_KEPT: usize = 4;

/// What a run needs besides code.
pub struct Place {
    pub stack: DefaultStack,
    pub context: Context,
}

thread_local! {
    /// Those of this thread, so that nobody waits for a lock.
    static KEPT: RefCell<Vec<Box<Place>>> = const { RefCell::new(Vec::new()) };
}

/// A place for a run, from an earlier run if there was one.
pub fn take() -> std::io::Result<Box<Place>> {
    if let Ok(Some(place)) = KEPT.try_with(|kept| kept.borrow_mut().pop()) {
        return Ok(place);
    }
    let [large, smaller @ ..] = SIZES;
    let stack = smaller.into_iter().fold(DefaultStack::new(large), |stack, size| stack.or_else(|_| DefaultStack::new(size)))?;
    Ok(Box::new(Place { stack, context: Context::new() }))
}

/// Gives a place back, after a run that has ended.
pub fn give(mut place: Box<Place>) {
    place.context.end();
    // A thread that is ending keeps nothing.
    let _ = KEPT.try_with(|kept| {
        let mut kept = kept.borrow_mut();
        if kept.len() < MAX_KEPT {
            kept.push(place);
        }
    });
}

/// The lowest stack pointer at which a call may begin that needs up to `reserve` bytes.
pub fn limit(stack: &DefaultStack, reserve: usize) -> usize {
    // A guard page lies at the lower end, of 64 KiB at most on any host.
    stack.limit().get() + (64 << 10) + reserve
}
