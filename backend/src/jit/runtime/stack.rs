//! The stacks that compiled code runs on, each with a context. They are kept between runs.

use super::heap::Context;
use corosensei::stack::{DefaultStack, Stack};
use std::sync::Mutex;

/// What a stack reserves of the address space; a page takes memory once it has been touched.
const SIZES: [usize; 3] = [1 << 30, 256 << 20, 64 << 20];

/// How much of the stack helpers and their callees may use.
pub const HELPER_STACK: usize = 256 << 10;

/// More than enough for one per processor.
const MAX_POOLED: usize = 64;

/// What a run needs besides code.
pub struct Place {
    pub stack: DefaultStack,
    pub context: Box<Context>,
}

// SAFETY: between runs nobody refers to what the context points to.
unsafe impl Send for Place {}

static POOL: Mutex<Vec<Place>> = Mutex::new(Vec::new());

/// A place for a run, from the pool if there is one.
pub fn take() -> std::io::Result<Place> {
    if let Some(place) = POOL.lock().unwrap_or_else(|e| e.into_inner()).pop() {
        return Ok(place);
    }
    let [large, smaller @ ..] = SIZES;
    let stack = smaller.into_iter().fold(DefaultStack::new(large), |stack, size| stack.or_else(|_| DefaultStack::new(size)))?;
    Ok(Place { stack, context: Box::new(Context::new()) })
}

/// Gives a place back, after a run that has ended.
pub fn give(mut place: Place) {
    place.context.end();
    let mut pool = POOL.lock().unwrap_or_else(|e| e.into_inner());
    if pool.len() < MAX_POOLED {
        pool.push(place);
    }
}

/// The lowest stack pointer at which a call may begin that needs up to `reserve` bytes.
pub fn limit(stack: &DefaultStack, reserve: usize) -> usize {
    // A guard page lies at the lower end, of 64 KiB at most on any host.
    stack.limit().get() + (64 << 10) + reserve
}
