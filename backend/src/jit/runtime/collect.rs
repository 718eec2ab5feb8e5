//! Loops forget the objects that earlier iterations left behind.
//!
//! Objects are never changed, so an object refers to older ones alone. At the head of a loop the objects that were made since the loop
//! was entered are referred to by nobody but the arguments of the head: what lies before the loop is older, and what lies in it is
//! made anew. So the objects that the arguments reach are moved together, as Cheney does (*A nonrecursive list compacting algorithm*,
//! 1970), and the rest of the memory is given back. Tapes are written to, so where one is reached nothing is moved. Vectors are written to,
//! too: the boxes of all of them are moved, whoever has them.

use super::super::layout::Field;
use super::heap::{Chunk, Context, Descriptor};
use super::shape::Shape;
use super::vectors::Boxed;
use std::ops::Range;

/// No loop looks for dead objects before it has made so many bytes of them. In builds with debug assertions it does whenever it needs
/// more memory, so that tests come upon it.
const LEAST: usize = if cfg!(debug_assertions) { 1 << 10 } else { 4 << 20 };

/// The memory as a loop remembers it. Compiled code writes it where the loop is entered.
#[repr(C)]
#[derive(Debug)]
pub struct Mark {
    /// How many chunks there were when the loop was entered.
    chunks: usize,
    /// Where objects went on at that time.
    bump: *mut u8,
    /// The number of [`Context::looks`] beyond which the loop calls [`collect`].
    known: usize,
    /// From how many bytes of objects on it is worth to look.
    worth: usize,
    /// How many bytes arrays took at the last look, or where the loop was entered.
    arrays: usize,
}

/// The places of the words of a mark that code writes.
pub mod mark {
    use super::Mark;
    use std::mem::offset_of;

    pub const WORDS: usize = size_of::<Mark>() / 8;
    pub const CHUNKS: i32 = offset_of!(Mark, chunks) as i32;
    pub const BUMP: i32 = offset_of!(Mark, bump) as i32;
    pub const KNOWN: i32 = offset_of!(Mark, known) as i32;
    pub const WORTH: i32 = offset_of!(Mark, worth) as i32;
    pub const ARRAYS: i32 = offset_of!(Mark, arrays) as i32;
}

/// Gives back the memory of objects that were made in a loop and that none of these words reaches.
///
/// # Safety
/// The words are all that refers to objects made since the mark, and lie as the shape says. Objects begin with their shape or with their
/// descriptor, which has one.
pub unsafe extern "C" fn collect(context: &mut Context, mark: &mut Mark, words: *mut u64, shape: &Shape) {
    mark.known = context.looks;
    let made = context.made_since(mark.chunks, mark.bump);
    let bytes: usize = made.iter().map(|range| range.end as usize - range.start as usize).sum();
    let have_arrays_grown = bytes > 0 && context.arrays.have_grown_since(mark.arrays);
    if bytes < mark.worth.max(LEAST) && !have_arrays_grown {
        return;
    }
    let Some(space) = Context::survivors(bytes) else { return };
    // SAFETY: by the contract.
    let Some(space) = (unsafe { Move::new(&made, space).all(words, shape, &context.boxed) }) else {
        mark.known = usize::MAX;
        return;
    };
    // SAFETY: the objects of a run are of its shapes, and nobody needs those that did not move.
    unsafe {
        if context.arrays.used > 0 {
            made.into_iter().for_each(|range| release_dead(context, range));
        }
        let live = space.end as usize - space.start as usize;
        // Where most of them live, as in a chain that grows, a look is rarely worth it.
        mark.worth = if live > bytes / 2 { bytes.saturating_mul(16) } else { 4 * live };
        context.replace_since(mark.chunks, mark.bump, space, mark.worth.max(LEAST));
    }
    if have_arrays_grown {
        context.give_back_blocks();
    }
    mark.arrays = context.arrays.bytes;
    mark.known = context.looks;
}

/// The shape of an object, by its first word.
///
/// # Safety
/// It is that of an object.
unsafe fn shape_of<'a>(header: u64) -> &'a Shape {
    // SAFETY: a descriptor begins with its own address, a shape never does; both live as long as the code.
    unsafe {
        let descriptor = header as *const Descriptor;
        let is_descriptor = std::ptr::eq((*descriptor).itself, descriptor);
        &*(if is_descriptor { (*descriptor).shape } else { header as *const Shape })
    }
}

/// An object that has moved begins with its new place and this bit.
const MOVED: u64 = 1;

/// The objects that survive, on their way.
struct Move<'a> {
    from: &'a [Range<*mut u8>],
    space: Chunk,
    /// The old places of the objects in the space.
    moved: Vec<*mut u64>,
}

impl Move<'_> {
    fn new(from: &[Range<*mut u8>], space: Chunk) -> Move<'_> {
        Move { from, space, moved: Vec::new() }
    }

    /// Moves all that words refer to which lie as a shape says. None, and nothing is changed, if a tape is among it.
    ///
    /// # Safety
    /// As for [`collect`]; there is room for all that is moved.
    unsafe fn all(mut self, words: *mut u64, shape: &Shape, boxed: &Boxed) -> Option<Chunk> {
        // SAFETY: by the contract.
        unsafe {
            let before = std::slice::from_raw_parts(words, shape.words()).to_vec();
            let mut in_vectors = Vec::new();
            boxed.each(|word| {
                let old = *word;
                self.object(word);
                if *word != old {
                    in_vectors.push((word, old));
                }
            });
            let mut is_done = self.fields(&shape.fields, words);
            let mut at = self.space.start.cast::<u64>();
            while is_done && at < self.space.end.cast() {
                let shape = shape_of(*at);
                is_done = self.fields(&shape.fields, at.add(1));
                at = at.add(1 + shape.words());
            }
            if is_done {
                return Some(self.space);
            }
            for old in self.moved {
                old.write(*((*old & !MOVED) as *const u64));
            }
            std::ptr::copy_nonoverlapping(before.as_ptr(), words, before.len());
            in_vectors.into_iter().for_each(|(word, old): (*mut u64, u64)| word.write(old));
            std::alloc::dealloc(self.space.start, self.space.layout);
        }
        None
    }

    /// Moves what fields refer to; false if one is a tape.
    ///
    /// # Safety
    /// The words are those of the fields.
    unsafe fn fields(&mut self, fields: &[Field], mut word: *mut u64) -> bool {
        for field in fields {
            match field {
                Field::Tape(_) => return false,
                // SAFETY: by the contract.
                Field::Box | Field::Function => unsafe { self.object(word) },
                Field::Float | Field::Floats(..) | Field::Vec(_) | Field::Array | Field::Other => {}
            }
            // SAFETY: by the contract.
            word = unsafe { word.add(field.words()) };
        }
        true
    }

    /// Moves the object that a word refers to, if it was made since the mark, and sets the word to its new place.
    ///
    /// # Safety
    /// The word is null or refers to an object.
    unsafe fn object(&mut self, word: *mut u64) {
        // SAFETY: by the contract, and there is room.
        unsafe {
            let object = *word as *mut u64;
            if !self.from.iter().rev().any(|range| range.contains(&object.cast())) {
                return;
            }
            if *object & MOVED == 0 {
                let (place, words) = (self.space.end.cast::<u64>(), 1 + shape_of(*object).words());
                std::ptr::copy_nonoverlapping(object, place, words);
                self.space.end = place.add(words).cast();
                object.write(place as u64 | MOVED);
                self.moved.push(object);
            }
            word.write(*object & !MOVED);
        }
    }
}

/// Gives back the arrays of objects that did not move.
///
/// # Safety
/// The range holds objects without gaps, and nobody refers to those that did not move.
unsafe fn release_dead(context: &mut Context, range: Range<*mut u8>) {
    let mut at = range.start.cast::<u64>();
    while at < range.end.cast() {
        // SAFETY: by the contract; each field that is an array has a reference to it.
        unsafe {
            let is_dead = *at & MOVED == 0;
            let shape = shape_of(if is_dead { *at } else { *((*at & !MOVED) as *const u64) });
            let mut word = at.add(1);
            for field in shape.fields.iter().filter(|_| is_dead) {
                match field {
                    Field::Floats(..) | Field::Array if *word != 0 => context.arrays.release(*word as *mut u8),
                    Field::Vec(_) => context.release_vector(*word as *mut _),
                    _ => {}
                }
                word = word.add(field.words());
            }
            at = at.add(1 + shape.words());
        }
    }
}
