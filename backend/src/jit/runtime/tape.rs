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
    /// The bytes at `words`, if they are the buffer's own.
    bytes: usize,
    /// Its place in the list of those in use, if it is one of them.
    place: usize,
    /// What [`Tape::usage`] counts of the tapes of this run that had the buffer before and gave it back.
    before: (usize, usize),
}

impl Tape {
    /// The tape without records. `zero` is not written to, as there is no room.
    pub fn empty(shape: *const Shape, zero: *mut [u64]) -> Tape {
        Tape { words: zero.cast(), len: 0, capacity: 0, shape, given: 0, bytes: 0, place: usize::MAX, before: (0, 0) }
    }

    /// The bytes of its records when it was at its fullest, and how many were pushed here.
    ///
    /// # Safety
    /// If there are records, then the code that made it is still there, and its shapes.
    unsafe fn usage(&self) -> (usize, usize) {
        let (bytes, records) = self.before;
        if self.len == 0 {
            return self.before;
        }
        // SAFETY: by the contract.
        let record = unsafe { (*self.shape).words() };
        (bytes.max(self.len * record * 8), records + self.len - self.given)
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

/// The buffers of a run, and those that earlier runs have left.
#[derive(Debug, Default)]
pub struct Tapes {
    used: Vec<*mut Tape>,
    /// Those that this run has given back.
    back: Vec<*mut Tape>,
    /// Those that earlier runs have left. The next run takes them from the end, in the order in which this one did: it will want the
    /// same sizes again.
    spare: Vec<*mut Tape>,
    /// Bytes of the spare ones.
    left: usize,
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
        // SAFETY: by the contract; shapes live as long as the code.
        let (source, shape) = unsafe { (&*source, &*(*source).shape) };
        let record = shape.words();
        let wanted = bytes(record, capacity)?;
        let tape = match self.tapes.reused() {
            Some(tape) => tape,
            None => Box::into_raw(Box::new(Tape { words: std::ptr::null_mut(), bytes: 0, ..Tape::empty(shape, &mut []) })),
        };
        // SAFETY: the tape was made here, by this call or an earlier one, and nobody else refers to it.
        let new = unsafe { &mut *tape };
        new.place = self.tapes.used.len();
        self.tapes.used.push(tape);
        if !self.resize(new, wanted) {
            return None;
        }
        // SAFETY: both buffers have as many records, and that of number 0.
        unsafe { std::ptr::copy_nonoverlapping(source.words, new.words, (given + 1) * record) };
        (new.len, new.given, new.shape, new.capacity) = (given, given, shape, new.bytes / (8 * record) - 1);
        Some(tape)
    }

    /// Gives a buffer at least so many bytes; what it held stays. False where the memory does not suffice.
    fn resize(&mut self, tape: &mut Tape, wanted: usize) -> bool {
        if tape.bytes >= wanted {
            return true;
        }
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
        (tape.words, tape.bytes) = (words.cast(), wanted);
        true
    }

    /// The buffer where a record can be put after the first `records` of `tape`: this one, larger, or a copy. None where the memory
    /// does not suffice.
    ///
    /// # Safety
    /// `tape` is a buffer of this run, or an empty one, with at least `records` records, each of at least one word.
    pub unsafe fn room(&mut self, tape: *mut Tape, records: usize) -> Option<*mut Tape> {
        // SAFETY: by the contract; shapes live as long as the code.
        let (Tape { len, capacity, .. }, record) = unsafe { (&*tape, (*(*tape).shape).words()) };
        let wanted = records.saturating_mul(2).max(FIRST_WORDS / record).max(3);
        if *len != records || *capacity == 0 {
            // SAFETY: by the contract.
            return unsafe { self.new_tape(tape, records, wanted) };
        }
        // SAFETY: the references above are not used any more.
        let own = unsafe { &mut *tape };
        if !self.resize(own, bytes(record, wanted)?) {
            return None;
        }
        own.capacity = own.bytes / (8 * record) - 1;
        Some(tape)
    }
}

impl Tapes {
    /// The bytes of the records of all buffers when each was at its fullest, and how many were pushed.
    pub fn usage(&self) -> (usize, usize) {
        // SAFETY: buffers live as long as the lists, those in use as long as the code; the others are empty.
        let of = |&tape: &*mut Tape| unsafe { (*tape).usage() };
        self.used.iter().chain(&self.back).map(of).fold((0, 0), |(bytes, records), (b, r)| (bytes + b, records + r))
    }

    /// Gives back the buffer of a tape that nobody has any more, if it is not a constant.
    ///
    /// # Safety
    /// It is the buffer of a tape, and its last owner gives it up.
    pub unsafe fn give_back(&mut self, tape: *mut Tape) {
        // SAFETY: by the contract.
        let (own, place) = unsafe { (&mut *tape, (*tape).place) };
        if self.used.get(place) != Some(&tape) {
            return;
        }
        // SAFETY: the tape is one of this run.
        own.before = unsafe { own.usage() };
        own.len = 0;
        self.used.swap_remove(place);
        if let Some(&other) = self.used.get(place) {
            // SAFETY: it is another buffer of the list.
            unsafe { (*other).place = place };
        }
        self.back.push(tape);
    }

    /// A buffer that is not in use.
    fn reused(&mut self) -> Option<*mut Tape> {
        self.back.pop().or_else(|| {
            let tape = self.spare.pop()?;
            // SAFETY: buffers live as long as the lists.
            self.left -= unsafe { (*tape).size() };
            Some(tape)
        })
    }

    /// Ends a run. Buffers of up to so many bytes in all are left for the next; gives how many bytes they are.
    pub fn end(&mut self, most: usize) -> usize {
        for tape in self.back.drain(..).chain(self.used.drain(..).rev()) {
            // SAFETY: buffers live as long as the lists, and nothing else of the run does.
            let own = unsafe { &mut *tape };
            if self.left + own.size() <= most {
                self.left += own.size();
                (own.len, own.before) = (0, (0, 0));
                self.spare.push(tape);
            } else {
                // SAFETY: the tape is in no list any more.
                unsafe { free(tape) };
            }
        }
        self.left
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
        for list in [&mut self.used, &mut self.back, &mut self.spare] {
            for tape in list.drain(..) {
                // SAFETY: the tape is in no other list.
                unsafe { free(tape) };
            }
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
