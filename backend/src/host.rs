//! Calls of functions of the host, for both executors.

use crate::output;
use gradus_ir::Type;
use gradus_ir::host::Function;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many scalars a value of a type has that functions of the host take or give.
pub fn width(ty: &Type) -> usize {
    match ty {
        Type::Tuple(items) => items.iter().map(width).sum(),
        Type::None => 0,
        _ => 1,
    }
}

/// Calls a function on words. False if it panicked, and then the run's message says how.
pub fn call(function: &Function, args: &[u64], results: &mut [u64]) -> bool {
    // What it leaves behind when it panics is not looked at: the run has failed.
    let done = catch_unwind(AssertUnwindSafe(|| (function.code)(args, results)));
    if let Err(panic) = &done {
        let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        output::fail_with(format!("`{}` panicked: {}", function.name, text.unwrap_or("no message")));
    }
    done.is_ok()
}
