//! Tapes: records in buffers that grow.
//!
//! The value of a tape is a buffer and the number of records, which are the first in the buffer. What lies above them belongs to
//! other tapes: a record is never changed once it was pushed. So a push puts its record at the end of the buffer, if the end is that
//! of the tape; otherwise another tape goes on there already, and the push makes a copy. A pop only gives a smaller number.

use super::heap::{ALIGN, Context};
use super::shape::Shape;
use std::alloc::{Layout, alloc, dealloc, realloc};

/// The size of a new buffer, in words, for records of few words.
const FIRST_WORDS: usize = 32;

/// The buffer of some tapes. Compiled code reads it, and writes to it where there is room.
#[repr(C)]
#[derive(Debug)]
pub struct Tape {
    /// The words of the records, which are counted from 1. Record 0 is the zero of the shape: what a pop of no record gives.
    pub words: *mut u64,
    /// How many records there are.
    pub len: usize,
    /// How many there is room for.
    pub capacity: usize,
    pub shape: *const Shape,
    /// How many of them were not pushed here.
    given: usize,
}

impl Tape {
    /// The tape without records. `zero` is not written to, as there is no room.
    pub fn empty(shape: *const Shape, zero: *mut [u64]) -> Tape {
        Tape { words: zero.cast(), len: 0, capacity: 0, shape, given: 0 }
    }

    /// Counts the records for which there is room among those that it was given: they have been written.
    pub fn fill(&mut self) {
        (self.len, self.given) = (self.capacity, self.capacity);
    }
}

/// The buffers of a run.
#[derive(Debug, Default)]
pub struct Tapes(Vec<*mut Tape>);

fn layout(record: usize, capacity: usize) -> Option<Layout> {
    let words = capacity.checked_add(1)?.checked_mul(record)?;
    Layout::from_size_align(words.checked_mul(8)?, ALIGN).ok()
}

impl Context {
    /// A buffer that begins with the first `given` records of `source` and has room for `capacity`. None where the memory does not
    /// suffice.
    ///
    /// # Safety
    /// `source` is a buffer of this run, or an empty one, with at least `given` records, each of at least one word. The capacity is
    /// at least `given` and not zero.
    pub unsafe fn new_tape(&mut self, source: *const Tape, given: usize, capacity: usize) -> Option<*mut Tape> {
        // SAFETY: by the contract; shapes live as long as the code.
        let (source, shape) = unsafe { (&*source, &*(*source).shape) };
        let record = shape.words();
        let layout = layout(record, capacity)?;
        if !self.reserve(layout.size() + size_of::<Tape>()) {
            return None;
        }
        // SAFETY: the size is not zero.
        let words = unsafe { alloc(layout) }.cast::<u64>();
        if words.is_null() {
            return None;
        }
        // SAFETY: both buffers have as many records, and that of number 0.
        unsafe { std::ptr::copy_nonoverlapping(source.words, words, (given + 1) * record) };
        let tape = Box::into_raw(Box::new(Tape { words, len: given, capacity, shape, given }));
        self.tapes.0.push(tape);
        Some(tape)
    }

    /// The buffer where a record can be put after the first `records` of `tape`: this one, larger, or a copy. None where the memory
    /// does not suffice.
    ///
    /// # Safety
    /// `tape` is a buffer of this run, or an empty one, with at least `records` records, each of at least one word.
    pub unsafe fn room(&mut self, tape: *mut Tape, records: usize) -> Option<*mut Tape> {
        // SAFETY: by the contract; shapes live as long as the code.
        let (Tape { len, capacity, words, .. }, record) = unsafe { (&*tape, (*(*tape).shape).words()) };
        let wanted = records.saturating_mul(2).max(FIRST_WORDS / record).max(3);
        if *len != records || *capacity == 0 {
            // SAFETY: by the contract.
            return unsafe { self.new_tape(tape, records, wanted) };
        }
        let (old, new) = (layout(record, *capacity)?, layout(record, wanted)?);
        if !self.reserve(new.size() - old.size()) {
            return None;
        }
        // SAFETY: a buffer that has room was allocated with this layout.
        let words = unsafe { realloc(words.cast(), old, new.size()) }.cast::<u64>();
        if words.is_null() {
            return None;
        }
        // SAFETY: the references above are not used any more.
        unsafe { ((*tape).words, (*tape).capacity) = (words, wanted) };
        Some(tape)
    }
}

impl Tapes {
    /// The bytes of all records, and how many were pushed.
    pub fn usage(&self) -> (usize, usize) {
        let of = |&tape: &*mut Tape| {
            // SAFETY: buffers live as long as the list; shapes as long as the code.
            let (tape, record) = unsafe { (&*tape, (*(*tape).shape).words()) };
            (tape.len * record * 8, tape.len - tape.given)
        };
        self.0.iter().map(of).fold((0, 0), |(bytes, records), (b, r)| (bytes + b, records + r))
    }
}

impl Drop for Tapes {
    fn drop(&mut self) {
        for &tape in &self.0 {
            // SAFETY: the buffer was made by `new_tape`, and nothing outlives the run; shapes live as long as the code.
            unsafe {
                let tape = Box::from_raw(tape);
                if let Some(layout) = layout((*tape.shape).words(), tape.capacity) {
                    dealloc(tape.words.cast(), layout);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::layout::Field;
    use super::*;

    fn shape() -> std::sync::Arc<Shape> {
        Shape::new(&[Field::Float, Field::Other], |_| unreachable!("no field is a tape"))
    }

    #[test]
    fn tapes_grow_in_place_or_are_copied() {
        let shape = shape();
        let mut context = Context::new();
        let mut push = |tape: *mut Tape, records: usize, v: u64| {
            // SAFETY: the tapes are those of the context; there is room for a record more.
            unsafe {
                let tape = context.room(tape, records).unwrap();
                (*tape).words.add(2 * (records + 1)).write(v);
                (*tape).len = records + 1;
                tape
            }
        };
        let a = push((&raw const shape.empty).cast_mut(), 0, 1);
        assert!((1..100).all(|i| push(a, i as usize, i) == a));
        let b = push(a, 50, 1000);
        assert!(b != a && push(a, 100, 2000) == a);
        // SAFETY: the tapes have so many records.
        let read = |tape: *mut Tape, record: usize| unsafe { (*tape).words.add(2 * record).read() };
        assert_eq!([read(a, 50), read(a, 51), read(a, 101), read(b, 50), read(b, 51)], [49, 50, 2000, 49, 1000]);
        assert_eq!([read(a, 0), read(b, 0)], [(-0.0_f64).to_bits(); 2]);
        assert_eq!(context.tapes.usage(), ((101 + 51) * 16, 102));
    }

    #[test]
    fn tapes_are_bounded() {
        let shape = shape();
        let mut context = Context::new();
        // SAFETY: the tape is empty.
        let tape = unsafe { context.room((&raw const shape.empty).cast_mut(), 0) }.unwrap();
        (0..40).rev().for_each(|bits| while context.reserve(1 << bits) {});
        // SAFETY: the tape is one of the context, and has as many records.
        unsafe {
            (*tape).len = (*tape).capacity;
            assert!(context.room(tape, (*tape).len).is_none());
            assert!(context.room(tape, 1).is_none());
        }
    }
}
