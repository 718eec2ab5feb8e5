//! The helpers that compiled code calls. None of them keeps anything that needs to be dropped across a trap.

use super::heap::{BoxLayout, Context, Descriptor};
use gradus_ir::TrapKind;
use gradus_ir::eval;

/// A helper's name and address.
pub struct Symbol {
    pub name: &'static str,
    pub address: *const u8,
}

/// All helpers that take the context.
pub const SYMBOLS: [Symbol; 6] = [
    Symbol { name: "gradus_raise", address: raise as *const u8 },
    Symbol { name: "gradus_grow", address: grow as *const u8 },
    Symbol { name: "gradus_derivative", address: derivative as *const u8 },
    Symbol { name: "gradus_extend", address: extend as *const u8 },
    Symbol { name: "gradus_gadd", address: gadd as *const u8 },
    Symbol { name: "gradus_ipow", address: ipow as *const u8 },
];

/// The place in a trap code is above the kind; kind 0 is an internal fault.
fn at(place: u64, kind: TrapKind) -> u64 {
    place & !0xff | kind as u64
}

/// Leaves the run with a trap code.
extern "C" fn raise(context: &Context, code: u64) -> ! {
    // SAFETY: the coroutine set the yielder before compiled code began, and is suspended only here.
    unsafe { &*context.yielder.get() }.suspend(code);
    // The host never resumes a run that has trapped.
    std::process::abort()
}

/// Makes room for `bytes` in the arena.
extern "C" fn grow(context: &mut Context, bytes: usize, place: u64) {
    if !context.grow(bytes) {
        raise(context, at(place, TrapKind::OutOfMemory));
    }
}

fn allocate(context: &mut Context, words: usize, place: u64) -> *mut u64 {
    match context.allocate(words) {
        Some(object) => object,
        None => raise(context, at(place, TrapKind::OutOfMemory)),
    }
}

/// An object of `descriptor` with the fields of `object`, and after them the `count` words at `new`.
///
/// # Safety
/// `object` is a function object, `new` points to `count` words, and `descriptor` is of as many words as both have.
unsafe fn copy(
    context: &mut Context,
    object: *const *const Descriptor,
    new: *const u64,
    count: usize,
    descriptor: &Descriptor,
    place: u64,
) -> *const *const Descriptor {
    if descriptor.words == 0 {
        return &raw const descriptor.itself;
    }
    let result = allocate(context, descriptor.words + 1, place);
    // SAFETY: by the contract; the result has `words + 1` words.
    unsafe {
        let old = (**object).words;
        result.cast::<*const Descriptor>().write(descriptor);
        std::ptr::copy_nonoverlapping(object.cast::<u64>().add(1), result.add(1), old);
        std::ptr::copy_nonoverlapping(new, result.add(1 + old), count);
    }
    result.cast::<*const Descriptor>()
}

/// The derivative of a function object: the same fields under another descriptor.
///
/// # Safety
/// `object` is a function object.
unsafe extern "C" fn derivative(
    context: &mut Context,
    object: *const *const Descriptor,
    index: usize,
    place: u64,
) -> *const *const Descriptor {
    // SAFETY: descriptors live as long as the code, and so do those that they point to.
    let found = unsafe { (**object).derivatives[index].as_ref() };
    match found.filter(|d| !d.code.is_null()) {
        // SAFETY: a derivative takes what the graph takes, so its objects hold as many words.
        Some(descriptor) => unsafe { copy(context, object, std::ptr::null(), 0, descriptor, place) },
        None => raise(context, place & !0xff),
    }
}

/// The object with `bound` more arguments, which are the `count` words at `new`.
///
/// # Safety
/// `object` is a function object that takes at least `bound` more arguments.
unsafe extern "C" fn extend(
    context: &mut Context,
    object: *const *const Descriptor,
    bound: usize,
    new: *const u64,
    count: usize,
    place: u64,
) -> *const *const Descriptor {
    // SAFETY: the descriptors of a graph lie in a row up to that of all arguments.
    let descriptor = unsafe { &*(*object).add(bound) };
    if descriptor.code.is_null() {
        raise(context, place & !0xff);
    }
    // SAFETY: `descriptor` counts the words of the arguments before and of those at `new`.
    unsafe { copy(context, object, new, count, descriptor, place) }
}

/// The sum of two boxes. Boxes within boxes are summed by a loop: chains are as long as those of the program.
///
/// # Safety
/// `a` and `b` are boxes or null.
unsafe extern "C" fn gadd(context: &mut Context, a: *const u64, b: *const u64, place: u64) -> *const u64 {
    let mut sum: *const u64 = std::ptr::null();
    let mut work: Vec<(*const u64, *const u64, *mut *const u64)> = vec![(a, b, &raw mut sum)];
    let mut fault = None;
    while let Some((a, b, result)) = work.pop() {
        // SAFETY: `result` is `sum` or a word of a box made below; a box begins with its layout, which lives as long as the
        // code, and has one word for each of its scalars.
        unsafe {
            if a.is_null() || b.is_null() {
                result.write(if a.is_null() { b } else { a });
                continue;
            }
            if *a != *b {
                fault = Some(place & !0xff);
                break;
            }
            let layout = &**a.cast::<*const BoxLayout>();
            let Some(object) = context.allocate(layout.boxes.len() + 1) else {
                fault = Some(at(place, TrapKind::OutOfMemory));
                break;
            };
            object.write(*a);
            for (i, &is_box) in layout.boxes.iter().enumerate() {
                let (a, b, field) = (a.add(1 + i), b.add(1 + i), object.add(1 + i));
                if is_box {
                    work.push((*a.cast(), *b.cast(), field.cast()));
                } else {
                    field.cast::<f64>().write(*a.cast::<f64>() + *b.cast::<f64>());
                }
            }
            result.write(object);
        }
    }
    drop(work);
    match fault {
        Some(code) => raise(context, code),
        None => sum,
    }
}

/// [`eval::int_pow`], with its traps.
extern "C" fn ipow(context: &Context, a: i64, n: i64, place: u64) -> i64 {
    match eval::int_pow(a, n) {
        Ok(power) => power,
        Err(kind) => raise(context, at(place, kind)),
    }
}
