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

/// Whether a library that this process has loaded, the C library among them, has a function or a variable of this name.
pub fn is_loaded(name: &str) -> bool {
    #[cfg(unix)]
    {
        unsafe extern "C" {
            fn dlsym(handle: *mut std::ffi::c_void, name: *const std::ffi::c_char) -> *mut std::ffi::c_void;
        }
        let default = if cfg!(target_vendor = "apple") { usize::MAX - 1 } else { 0 };
        // SAFETY: the handle says to search all libraries, and a name is a text that ends in 0.
        std::ffi::CString::new(name).is_ok_and(|name| unsafe { !dlsym(default as *mut _, name.as_ptr()).is_null() })
    }
    #[cfg(not(unix))]
    {
        let _ = name;
        false
    }
}
