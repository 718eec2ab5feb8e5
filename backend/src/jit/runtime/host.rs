//! Calls of functions of the host.

use super::heap::Context;
use super::helpers::{at, raise};
use crate::host;
use gradus_ir::TrapKind;
use gradus_ir::host::Function;

/// Calls a function of the host, on the stack of who entered compiled code: it may use more of it than there is room for here. Fails
/// with its message if it panics.
///
/// # Safety
/// `args` points to a word for each scalar of its parameters, `results` to room for those of its result.
pub unsafe extern "C" fn call(context: &Context, function: &Function, args: *const u64, results: *mut u64, place: u64) {
    let (takes, gives) = (function.params.iter().map(host::width).sum(), host::width(&function.result));
    // SAFETY: by the contract.
    let (args, results) = unsafe { (std::slice::from_raw_parts(args, takes), std::slice::from_raw_parts_mut(results, gives)) };
    // SAFETY: the coroutine set the yielder before compiled code began.
    let yielder = unsafe { &*context.yielder.get() };
    let done = yielder.on_parent_stack(|| host::call(function, args, results));
    if !done {
        raise(context, at(place, TrapKind::Failed))
    }
}
