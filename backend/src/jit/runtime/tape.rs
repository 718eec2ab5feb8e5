//! Tapes: records in buffers that grow.
//!
//! The value of a tape is a buffer and the number of records, which are the first in the buffer. What lies above them belongs to
//! other tapes: a record is never changed once it was pushed. So a push puts its record at the end of the buffer, if the end is that
//! of the tape; otherwise another tape goes on there already, and the push makes a copy. A pop only gives a smaller number.

use super::heap::{ALIGN, Context};
use super::shape::Shape;
use std::alloc::{Layout, alloc, dealloc, realloc};
use std::ptr::null_mut;

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
    /// The next buffer among the free ones, if it is one of them.
    pub next: *mut Tape,
    /// The words of a record.
    pub record: usize,
    /// How many records were not pushed here.
    pub given: usize,
    /// What [`Tape::usage`] counts of the tapes that had the buffer before and gave it back: bytes, and records.
    pub before: [usize; 2],
    /// The bytes at `words`, if they are the buffer's own.
    bytes: usize,
}

impl Tape {
    /// The tape without records. `zero` is not written to, as there is no room.
    pub fn empty(shape: *const Shape, zero: *mut [u64]) -> Tape {
        let (words, record) = (zero.cast(), zero.len());
        Tape { words, len: 0, capacity: 0, shape, next: null_mut(), record, given: 0, before: [0; 2], bytes: 0 }
    }

    /// The bytes of its records when it was at its fullest, and how many were pushed here.
    fn usage(&self) -> [usize; 2] {
        let [bytes, records] = self.before;
        [bytes.max(self.len * self.record * 8), records + self.len - self.given]
    }

    /// Begins with the first records of another buffer, for which there is room.
    ///
    /// # Safety
    /// The other one has so many, of as many words.
    unsafe fn begin(&mut self, source: &Tape, given: usize) {
        // SAFETY: by the contract; both have a record of number 0.
        unsafe { std::ptr::copy_nonoverlapping(source.words, self.words, (given + 1) * source.record) };
        (self.len, self.given, self.shape) = (given, given, source.shape);
    }

    /// The bytes that it takes.
    fn size(&self) -> usize {
        self.bytes + size_of::<Tape>()
    }

    /// Counts the records for which there is room among those that it was given: they have been written.
    pub fn fill(&mut self) {
        (self.len, self.given) = (self.capacity, self.capacity);
    }
}

/// The buffers of a run. Compiled code gives back one that nobody has any more by putting it before the other free ones; those that
/// are in use at the end of the run come back then.
#[repr(C)]
#[derive(Debug)]
pub struct Tapes {
    /// The first free buffer, or null.
    pub free: *mut Tape,
    /// How many are in use.
    pub used: usize,
    all: Vec<*mut Tape>,
    /// The bytes that all of them take.
    bytes: usize,
}

impl Default for Tapes {
    fn default() -> Tapes {
        Tapes { free: null_mut(), used: 0, all: Vec::new(), bytes: 0 }
    }
}

/// The bytes of so many records and record 0.
fn bytes(record: usize, capacity: usize) -> Option<usize> {
    capacity.checked_add(1)?.checked_mul(record)?.checked_mul(8)
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes, ALIGN).ok()
}

impl Context {
    /// A buffer that begins with the first `given` records of `source` and has room for `capacity`. None where the memory does not
    /// suffice.
    ///
    /// # Safety
    /// `source` is a buffer of this run, or an empty one, with at least `given` records, each of at least one word. The capacity is
    /// at least `given` and not zero.
    pub unsafe fn new_tape(&mut self, source: *const Tape, given: usize, capacity: usize) -> Option<*mut Tape> {
        // SAFETY: by the contract; nobody else refers to the new buffer.
        unsafe {
            let tape = self.tapes.take((*source).record);
            if (*tape).capacity < capacity && !self.enlarge(&mut *tape, capacity) {
                return None;
            }
            (*tape).begin(&*source, given);
            Some(tape)
        }
    }

    /// Gives a buffer room for so many records, which are more than it has; what it held stays. False where the memory does not
    /// suffice.
    fn enlarge(&mut self, tape: &mut Tape, capacity: usize) -> bool {
        let Some(wanted) = bytes(tape.record, capacity) else { return false };
        let (Some(old), Some(new)) = (layout(tape.bytes), layout(wanted)) else { return false };
        if !self.reserve(wanted - tape.bytes) {
            return false;
        }
        let words = match tape.bytes {
            // SAFETY: the size is not zero.
            0 => unsafe { alloc(new) },
            // SAFETY: the words were allocated with this layout.
            _ => unsafe { realloc(tape.words.cast(), old, wanted) },
        };
        if words.is_null() {
            return false;
        }
        self.tapes.bytes += wanted - tape.bytes;
        (tape.words, tape.bytes, tape.capacity) = (words.cast(), wanted, capacity);
        true
    }

    /// The buffer where a record can be put after the first `records` of `tape`: this one, larger, or a copy. None where the memory
    /// does not suffice.
    ///
    /// # Safety
    /// `tape` is a buffer of this run, or an empty one, with at least `records` records, each of at least one word.
    pub unsafe fn room(&mut self, tape: *mut Tape, records: usize) -> Option<*mut Tape> {
        // SAFETY: by the contract; nobody else refers to a new buffer, nor to this one while it is enlarged.
        unsafe {
            let is_own = (*tape).len == records && (*tape).capacity > 0;
            let own = if is_own { tape } else { self.tapes.take((*tape).record) };
            if (*own).capacity <= records {
                let wanted = records.saturating_mul(2).max(FIRST_WORDS / (*own).record).max(3);
                if !self.enlarge(&mut *own, wanted) {
                    return None;
                }
            }
            if !is_own {
                (*own).begin(&*tape, records);
            }
            Some(own)
        }
    }
}

impl Tapes {
    /// The bytes of the records of all buffers when each was at its fullest, and how many were pushed, in all runs.
    pub fn usage(&self) -> (usize, usize) {
        // SAFETY: buffers live as long as the list.
        let of = |&tape: &*mut Tape| unsafe { (*tape).usage() };
        self.all.iter().map(of).fold((0, 0), |(bytes, records), [b, r]| (bytes + b, records + r))
    }

    /// A buffer that is not in use, for records of so many words: the one that was given back last, or a new one.
    #[inline]
    fn take(&mut self, record: usize) -> *mut Tape {
        self.used += 1;
        if self.free.is_null() {
            self.free = Box::into_raw(Box::new(Tape::empty(std::ptr::null(), &mut [])));
            self.all.push(self.free);
            self.bytes += size_of::<Tape>();
        }
        let tape = self.free;
        // SAFETY: nobody else refers to a free buffer.
        let own = unsafe { &mut *tape };
        self.free = own.next;
        own.before = own.usage();
        if own.record != record {
            own.record = record;
            own.capacity = (own.bytes / (8 * record)).saturating_sub(1);
        }
        tape
    }

    /// Ends a run: all buffers are free, in the order in which they were made if some were in use, since the next run will want the
    /// same sizes again. Those beyond so many bytes in all are gone; gives how many bytes are left.
    #[inline]
    pub fn end(&mut self, most: usize) -> usize {
        if self.used > 0 || self.bytes > most {
            self.reclaim(most);
        }
        self.bytes
    }

    #[cold]
    fn reclaim(&mut self, most: usize) {
        self.bytes = 0;
        self.all.retain(|&tape| {
            // SAFETY: buffers live as long as the list, and nobody uses them now.
            let bytes = self.bytes + unsafe { (*tape).size() };
            if bytes <= most {
                self.bytes = bytes;
            } else {
                // SAFETY: it is in no list from here on.
                unsafe { free(tape) };
            }
            bytes <= most
        });
        (self.free, self.used) = (null_mut(), 0);
        for &tape in self.all.iter().rev() {
            // SAFETY: as above.
            unsafe { (*tape).next = self.free };
            self.free = tape;
        }
    }
}

/// Frees a tape and its buffer.
///
/// # Safety
/// The tape was made by `new_tape`, and nobody refers to it.
unsafe fn free(tape: *mut Tape) {
    // SAFETY: by the contract; the words were allocated with this layout.
    unsafe {
        let tape = Box::from_raw(tape);
        if let (true, Some(layout)) = (tape.bytes > 0, layout(tape.bytes)) {
            dealloc(tape.words.cast(), layout);
        }
    }
}

impl Drop for Tapes {
    fn drop(&mut self) {
        for tape in self.all.drain(..) {
            // SAFETY: nobody uses it any more.
            unsafe { free(tape) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::layout::Field;
    use super::super::heap::LARGEST_KEPT;
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
    fn a_run_takes_the_buffers_that_the_last_one_left() {
        let shape = shape();
        let mut context = Context::new();
        let empty = (&raw const shape.empty).cast_mut();
        // SAFETY: the tape is empty.
        let take = |context: &mut Context, records: usize| unsafe { context.new_tape(empty, 0, records) }.unwrap();
        let (small, large) = (take(&mut context, 10), take(&mut context, 1000));
        context.end();
        let taken = [take(&mut context, 20), take(&mut context, 900)];
        assert_eq!(taken, [small, large]);
        // SAFETY: the tapes are those of the context.
        let capacities = taken.map(|tape| unsafe { (*tape).capacity });
        assert_eq!(capacities, [20, 1000]);
        // Of 16 bytes each, and the one before the first.
        take(&mut context, LARGEST_KEPT / 16);
        context.end();
        let taken = [take(&mut context, 1), take(&mut context, 1)];
        assert_eq!(taken, [small, large]);
        let new = take(&mut context, 1);
        // SAFETY: as above. What is too large was not kept.
        assert_eq!(unsafe { (*new).capacity }, 1);
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
