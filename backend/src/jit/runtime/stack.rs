//! The stacks that compiled code runs on. They are kept between runs.

use corosensei::stack::{DefaultStack, Stack};
use std::sync::Mutex;

/// What a stack reserves of the address space; a page takes memory once it has been touched.
const SIZES: [usize; 3] = [1 << 30, 256 << 20, 64 << 20];

/// How much of the stack helpers and their callees may use.
pub const HELPER_STACK: usize = 256 << 10;

/// More than enough for one per processor.
const MAX_POOLED: usize = 64;

static POOL: Mutex<Vec<DefaultStack>> = Mutex::new(Vec::new());

/// A stack, from the pool if there is one.
pub fn take() -> std::io::Result<DefaultStack> {
    if let Some(stack) = POOL.lock().unwrap_or_else(|e| e.into_inner()).pop() {
        return Ok(stack);
    }
    let [large, smaller @ ..] = SIZES;
    smaller.into_iter().fold(DefaultStack::new(large), |stack, size| stack.or_else(|_| DefaultStack::new(size)))
}

/// Gives a stack back.
pub fn give(stack: DefaultStack) {
    let mut pool = POOL.lock().unwrap_or_else(|e| e.into_inner());
    if pool.len() < MAX_POOLED {
        pool.push(stack);
    }
}

/// The lowest stack pointer at which a call may begin that needs up to `reserve` bytes.
pub fn limit(stack: &DefaultStack, reserve: usize) -> usize {
    // A guard page lies at the lower end, of 64 KiB at most on any host.
    stack.limit().get() + (64 << 10) + reserve
}
