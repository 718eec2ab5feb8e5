//! The helpers that compiled code calls. None of them keeps anything that needs to be dropped across a trap.

use super::super::layout::Field;
use super::heap::{Context, Descriptor};
use super::shape::Shape;
use super::sum;
use super::tape::Tape;
use super::trace;
use super::vectors::Handle;
use crate::error::Failure;
use gradus_ir::TrapKind;
use gradus_ir::eval;
use std::ptr::null_mut;

/// A helper's name and address, and whether it may raise a trap.
pub struct Symbol {
    pub name: &'static str,
    pub address: *const u8,
    pub raises: bool,
}

impl Symbol {
    const fn new(name: &'static str, address: *const u8) -> Symbol {
        Symbol { name, address, raises: false }
    }

    const fn raising(name: &'static str, address: *const u8) -> Symbol {
        Symbol { name, address, raises: true }
    }
}

/// All helpers that take the context. Those that take memory alone give null where there is none.
pub const SYMBOLS: [Symbol; 31] = [
    Symbol::raising("gradus_raise", raise as *const u8),
    Symbol::new("gradus_grow", grow as *const u8),
    Symbol::new("gradus_collect", super::collect::collect as *const u8),
    Symbol::raising("gradus_derivative", derivative as *const u8),
    Symbol::raising("gradus_extend", extend as *const u8),
    Symbol::raising("gradus_gadd", gadd as *const u8),
    Symbol::raising("gradus_gadd_tapes", gadd_tapes as *const u8),
    Symbol::new("gradus_room", room as *const u8),
    Symbol::new("gradus_block", block as *const u8),
    Symbol::new("gradus_zeros", zeros as *const u8),
    Symbol::new("gradus_copy", copy_array as *const u8),
    Symbol::new("gradus_find", find as *const u8),
    Symbol::new("gradus_replace", replace as *const u8),
    Symbol::raising("gradus_add_vectors", add_vectors as *const u8),
    Symbol::new("gradus_release_vector", release_vector as *const u8),
    Symbol::raising("gradus_say", super::saying::say as *const u8),
    Symbol::raising("gradus_host", super::host::call as *const u8),
    Symbol::raising("gradus_ipow", ipow as *const u8),
    Symbol::raising("gradus_trace_open", trace::open as *const u8),
    Symbol::raising("gradus_trace_variable", trace::variable as *const u8),
    Symbol::raising("gradus_trace_note", trace::note as *const u8),
    Symbol::raising("gradus_trace_call", trace::call as *const u8),
    Symbol::raising("gradus_trace_add_float", trace::add_float as *const u8),
    Symbol::raising("gradus_trace_add_array", trace::add_array as *const u8),
    Symbol::raising("gradus_trace_add_box", trace::add_box as *const u8),
    Symbol::raising("gradus_trace_add_vector", trace::add_vector as *const u8),
    Symbol::new("gradus_trace_take_float", trace::take_float as *const u8),
    Symbol::new("gradus_trace_take_array", trace::take_array as *const u8),
    Symbol::new("gradus_trace_next", trace::next as *const u8),
    Symbol::new("gradus_trace_step", trace::step as *const u8),
    Symbol::new("gradus_trace_close", trace::close as *const u8),
];

/// The place in a trap code is above the kind; kind 0 is an internal fault.
pub fn at(place: u64, kind: TrapKind) -> u64 {
    place & !0xff | kind as u64
}

/// Leaves the run with a trap code.
pub extern "C" fn raise(context: &Context, code: u64) -> ! {
    // SAFETY: the coroutine set the yielder before compiled code began, and is suspended only here.
    unsafe { &*context.yielder.get() }.suspend(code);
    // The host never resumes a run that has trapped.
    std::process::abort()
}

/// Makes room for `bytes` in the arena; gives where it begins.
extern "C" fn grow(context: &mut Context, bytes: usize) -> *mut u8 {
    if context.grow(bytes) { context.bump } else { null_mut() }
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
        // The new object has references of its own; the words at `new` have theirs.
        if let Some(shape) = descriptor.shape.as_ref() {
            let mut at = 0;
            for field in shape.fields.iter() {
                if at < old && matches!(field, Field::Floats(..) | Field::Vec(_) | Field::Array) {
                    context.arrays.shared(*result.add(1 + at) as *mut u8);
                }
                at += field.words();
            }
        }
    }
    result.cast::<*const Descriptor>()
}

/// The derivative of a function object: the same fields under another descriptor. That of an undefined one is undefined.
///
/// # Safety
/// `object` is a function object, or null.
unsafe extern "C" fn derivative(
    context: &mut Context,
    object: *const *const Descriptor,
    index: usize,
    place: u64,
) -> *const *const Descriptor {
    if object.is_null() {
        return object;
    }
    // SAFETY: descriptors live as long as the code, and so do those that they point to.
    let found = unsafe { (**object).derivatives[index].as_ref() };
    match found.filter(|d| !d.code.is_null()) {
        // SAFETY: a derivative takes what the graph takes, so its objects hold as many words.
        Some(descriptor) => unsafe { copy(context, object, std::ptr::null(), 0, descriptor, place) },
        None => raise(context, place & !0xff),
    }
}

/// The object with `bound` more arguments, which are the `count` words at `new`; an undefined one stays so.
///
/// # Safety
/// `object` is a function object that takes at least `bound` more arguments, or null.
unsafe extern "C" fn extend(
    context: &mut Context,
    object: *const *const Descriptor,
    bound: usize,
    new: *const u64,
    count: usize,
    place: u64,
) -> *const *const Descriptor {
    if object.is_null() {
        return object;
    }
    // SAFETY: the descriptors of a graph lie in a row up to that of all arguments.
    let descriptor = unsafe { &*(*object).add(bound) };
    if descriptor.code.is_null() {
        raise(context, place & !0xff);
    }
    // SAFETY: `descriptor` counts the words of the arguments before and of those at `new`.
    unsafe { copy(context, object, new, count, descriptor, place) }
}

/// The sum of two boxes.
///
/// # Safety
/// `a` and `b` are boxes or null.
unsafe extern "C" fn gadd(context: &mut Context, a: *const u64, b: *const u64, place: u64) -> *const u64 {
    // SAFETY: by the contract.
    match unsafe { sum::boxes(context, a, b) } {
        Ok(sum) => sum,
        Err(failure) => raise(context, failure.code(place)),
    }
}

/// The buffer of the sum of two tapes, which has as many records as the longer one.
///
/// # Safety
/// `a` and `b` are buffers of tapes of one type, and have so many records.
unsafe extern "C" fn gadd_tapes(
    context: &mut Context,
    a: *mut Tape,
    records_a: usize,
    b: *mut Tape,
    records_b: usize,
    place: u64,
) -> *mut Tape {
    // SAFETY: by the contract.
    match unsafe { sum::tapes(context, (a, records_a), (b, records_b)) } {
        Ok(sum) => sum,
        Err(failure) => raise(context, failure.code(place)),
    }
}

/// The buffer where a record can be put after the first `records` of `tape`.
///
/// # Safety
/// `tape` is the buffer of a tape of so many records, of at least one word.
unsafe extern "C" fn room(context: &mut Context, tape: *mut Tape, records: usize) -> *mut Tape {
    // SAFETY: by the contract.
    unsafe { context.room(tape, records) }.unwrap_or(null_mut())
}

/// Where the record at an index of a vector lies.
///
/// # Safety
/// It is a vector of records of that shape.
unsafe extern "C" fn find(context: &mut Context, vector: *mut Handle, index: i64, shape: &Shape) -> *const u64 {
    let Ok(index) = usize::try_from(index) else { return shape.zero_record() };
    // SAFETY: by the contract.
    unsafe { context.find(vector, index, shape.words()) }.unwrap_or(shape.zero_record())
}

/// The vector with a record at an index, in exchange for a reference to it.
///
/// # Safety
/// It is a vector of records of that shape.
unsafe extern "C" fn replace(
    context: &mut Context,
    vector: *mut Handle,
    index: i64,
    record: *const u64,
    shape: &Shape,
) -> *mut Handle {
    let Ok(index) = usize::try_from(index) else { return null_mut() };
    // SAFETY: by the contract.
    unsafe { context.replace(vector, index, record, shape) }.unwrap_or(null_mut())
}

/// The sum of two vectors, in exchange for a reference to each.
///
/// # Safety
/// They are vectors of one type.
unsafe extern "C" fn add_vectors(context: &mut Context, a: *mut Handle, b: *mut Handle, place: u64) -> *mut Handle {
    // SAFETY: by the contract.
    match unsafe { sum::vectors(context, a, b) } {
        Ok(sum) => sum,
        Err(failure) => raise(context, failure.code(place)),
    }
}

/// Gives back a reference to a vector.
///
/// # Safety
/// There is one, which is not used any more.
unsafe extern "C" fn release_vector(context: &mut Context, vector: *mut Handle) {
    // SAFETY: by the contract.
    unsafe { context.release_vector(vector) };
}

impl Failure {
    fn code(self, place: u64) -> u64 {
        match self {
            Failure::Shape => place & !0xff,
            Failure::Memory => at(place, TrapKind::OutOfMemory),
        }
    }
}

/// [`eval::int_pow`], with its traps.
extern "C" fn ipow(context: &Context, a: i64, n: i64, place: u64) -> i64 {
    match eval::int_pow(a, n) {
        Ok(power) => power,
        Err(kind) => raise(context, at(place, kind)),
    }
}

/// A new block for arrays of a class.
extern "C" fn block(context: &mut Context, class: usize) -> *mut u8 {
    context.block(class).unwrap_or(null_mut())
}

/// An array of so many bytes of zero cotangents, eight of which have these bits.
extern "C" fn zeros(context: &mut Context, bytes: usize, bits: u64) -> *mut u8 {
    context.zeros(bytes, bits).unwrap_or(null_mut())
}

/// A copy of an array.
///
/// # Safety
/// It has so many bytes.
unsafe extern "C" fn copy_array(context: &mut Context, array: *const u8, bytes: usize) -> *mut u8 {
    // SAFETY: by the contract.
    unsafe { context.copy(array, bytes) }.unwrap_or(null_mut())
}
