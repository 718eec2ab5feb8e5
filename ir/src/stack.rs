//! Stacks of one's own, for compiled code and for passes that recurse.
//!
//! Threads of a host may have little stack: 64 KiB in some runtimes. Passes recurse as deep as a program nests, so the compiler never
//! relies on the stack of its caller.

use corosensei::stack::DefaultStack;
use std::cell::Cell;
use std::io;

/// Bytes of address space that a stack reserves; a page takes memory once it has been touched.
const SIZES: [usize; 6] = [1 << 30, 256 << 20, 64 << 20, 16 << 20, 4 << 20, 1 << 20];

/// A new stack, as large as the limits of the process permit.
pub fn reserve() -> io::Result<DefaultStack> {
    let [large, smaller @ ..] = SIZES;
    smaller.into_iter().fold(DefaultStack::new(large), |stack, size| stack.or_else(|_| DefaultStack::new(size)))
}

thread_local! {
    /// Whether this thread is on a stack from here already.
    static IS_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Does work that may recurse deeply, on a stack of its own. On the caller's, if the process has no address space left.
pub fn deep<R>(work: impl FnOnce() -> R) -> R {
    /// Leaves the stack, whether the work returns or panics.
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            IS_DEEP.set(false);
        }
    }
    if IS_DEEP.get() {
        return work();
    }
    let Ok(stack) = reserve() else { return work() };
    IS_DEEP.set(true);
    let _leave = Leave;
    corosensei::on_stack(stack, work)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(n: u64) -> u64 {
        if n == 0 { 0 } else { std::hint::black_box(depth(n - 1)) + 1 }
    }

    #[test]
    fn work_recurses_deeply_on_a_thread_of_little_stack() {
        let thread = std::thread::Builder::new().stack_size(64 << 10).spawn(|| deep(|| deep(|| depth(1_000_000))));
        assert_eq!(thread.expect("a thread").join().expect("no overflow"), 1_000_000);
    }

    #[test]
    fn a_panic_leaves_the_stack() {
        assert!(std::panic::catch_unwind(|| deep(|| panic!("on purpose"))).is_err());
        assert!(!IS_DEEP.get());
    }
}
