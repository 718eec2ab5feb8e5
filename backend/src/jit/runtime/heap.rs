//! The memory of a run: a bump arena for closures and boxes, which is released as a whole when the run ends, and the buffers of
//! tapes. A chunk of the arena and the buffers are kept for the next run, if they are not too large.

use super::arrays::Arrays;
use super::shape::Shape;
use super::tape::Tapes;
use super::trace::Trace;
use super::vectors::{Boxed, Zeros};
use crate::memory;
use crate::usage::Usage;
use corosensei::Yielder;
use gradus_ir::Prim;
use std::alloc::{Layout, alloc, dealloc};
use std::cell::Cell;
use std::mem::MaybeUninit;
use std::ops::Range;

const FIRST_CHUNK: usize = 64 << 10;
const LARGEST_CHUNK: usize = 256 << 20;
/// The most memory that is kept for the next run, of each kind: what the system gives anew costs more than to fill it.
pub const LARGEST_KEPT: usize = 256 << 20;
pub const ALIGN: usize = 16;
/// What the memory of a run holds before something is written to it, in builds with debug assertions: no number, and no address. Tests
/// find by it who reads what nobody wrote.
pub const UNWRITTEN: u64 = if cfg!(debug_assertions) { 0x7ff4_dead_7ff4_dead } else { 0 };
/// How much of a block is filled with it: large ones are mostly not touched.
const MARKED: usize = 1 << 20;

/// Fills a block with [`UNWRITTEN`], in builds with debug assertions.
///
/// # Safety
/// The block has so many bytes, begins at a word, and nobody uses it.
pub unsafe fn mark_unwritten(block: *mut u8, bytes: usize) {
    if cfg!(debug_assertions) {
        // SAFETY: by the contract.
        unsafe { std::slice::from_raw_parts_mut(block.cast::<MaybeUninit<u64>>(), bytes.min(MARKED) / 8) }
            .fill(MaybeUninit::new(UNWRITTEN));
    }
}

/// What compiled code is handed in its first argument. It reads and writes the first fields itself.
#[repr(C)]
#[derive(Debug)]
pub struct Context {
    /// The next free byte.
    pub bump: *mut u8,
    /// The end of the chunk.
    pub limit: *mut u8,
    /// How many objects were made.
    pub objects: usize,
    /// How far down the stack a call may begin.
    pub stack_limit: usize,
    /// Where functions leave results that do not fit in registers.
    pub results: *mut u64,
    result_area: Vec<u64>,
    /// How many chunks the arena has.
    pub chunks: usize,
    /// How often loops were told to look for dead objects: where a chunk begins, and where arrays take twice as much as before.
    pub looks: usize,
    arena: Arena,
    pub tapes: Tapes,
    pub arrays: Arrays,
    pub trace: Trace,
    pub zeros: Zeros,
    pub boxed: Boxed,
    /// How much memory has been taken.
    pub bytes: usize,
    /// How a trap leaves the coroutine, once that runs.
    pub yielder: Cell<*const Yielder<(), u64>>,
}

/// The offsets of what compiled code accesses.
pub mod offsets {
    use super::super::arrays::{Arrays, CLASSES};
    use super::super::tape::{Tape, Tapes};
    use super::super::vectors::Zeros;
    use super::{Context, Descriptor};
    use std::mem::offset_of;

    pub const BUMP: i32 = offset_of!(Context, bump) as i32;
    pub const LIMIT: i32 = offset_of!(Context, limit) as i32;
    pub const OBJECTS: i32 = offset_of!(Context, objects) as i32;
    pub const CHUNKS: i32 = offset_of!(Context, chunks) as i32;
    pub const LOOKS: i32 = offset_of!(Context, looks) as i32;
    pub const ARRAY_BYTES: i32 = (offset_of!(Context, arrays) + offset_of!(Arrays, bytes)) as i32;
    pub const STACK_LIMIT: i32 = offset_of!(Context, stack_limit) as i32;
    pub const RESULTS: i32 = offset_of!(Context, results) as i32;
    pub const USED_ARRAYS: i32 = (offset_of!(Context, arrays) + offset_of!(Arrays, used)) as i32;
    pub const OPERATIONS: i32 = (offset_of!(Context, arrays) + offset_of!(Arrays, operations)) as i32;
    pub const FREE_ARRAYS: i32 = (offset_of!(Context, arrays) + offset_of!(Arrays, free)) as i32;
    pub const FREE_ARRAYS_BYTES: usize = size_of::<[*mut u8; CLASSES]>();
    pub const ZEROS: i32 = (offset_of!(Context, zeros) + offset_of!(Zeros, handle)) as i32;
    pub const FREE_TAPES: i32 = (offset_of!(Context, tapes) + offset_of!(Tapes, free)) as i32;
    pub const USED_TAPES: i32 = (offset_of!(Context, tapes) + offset_of!(Tapes, used)) as i32;
    pub const TAPE_WORDS: i32 = offset_of!(Tape, words) as i32;
    pub const TAPE_LEN: i32 = offset_of!(Tape, len) as i32;
    pub const TAPE_CAPACITY: i32 = offset_of!(Tape, capacity) as i32;
    pub const TAPE_SHAPE: i32 = offset_of!(Tape, shape) as i32;
    pub const TAPE_NEXT: i32 = offset_of!(Tape, next) as i32;
    pub const TAPE_RECORD: i32 = offset_of!(Tape, record) as i32;
    pub const TAPE_GIVEN: i32 = offset_of!(Tape, given) as i32;
    pub const TAPE_BEFORE: i32 = offset_of!(Tape, before) as i32;
    pub const CODE: i32 = offset_of!(Descriptor, code) as i32;
    pub const DERIVATIVES: i32 = offset_of!(Descriptor, derivatives) as i32;
    pub const OBJECT_WORDS: i32 = offset_of!(Descriptor, words) as i32;
}

/// Describes the function objects of a graph with a certain number of bound arguments.
///
/// A function object is a pointer to its descriptor, then one word for each scalar of the captures and bound arguments. A
/// descriptor begins with a pointer to itself, so it is also the object that holds nothing. The descriptors of a graph lie
/// in a row, by the number of bound arguments.
#[repr(C)]
#[derive(Debug)]
pub struct Descriptor {
    pub itself: *const Descriptor,
    /// Takes the context, the object and the arguments that are left; null if no object has this descriptor.
    pub code: *const u8,
    /// The number of words after the first.
    pub words: usize,
    /// By the number of the derivative operator.
    pub derivatives: [*const Descriptor; Prim::OPERATORS.len()],
    /// How those words lie; null in programs that collect nothing.
    pub shape: *const Shape,
}

/// A piece of the arena: objects lie in it without gaps, up to its end.
#[derive(Debug)]
pub struct Chunk {
    pub start: *mut u8,
    pub layout: Layout,
    /// The end of the objects; of the last chunk the context knows it.
    pub end: *mut u8,
}

#[derive(Debug, Default)]
struct Arena {
    chunks: Vec<Chunk>,
    /// Bytes of objects in the chunks before the last.
    full: usize,
}

impl Context {
    /// The context of runs to come.
    pub fn new() -> Context {
        Context {
            results: std::ptr::null_mut(),
            result_area: Vec::new(),
            bump: std::ptr::null_mut(),
            limit: std::ptr::null_mut(),
            objects: 0,
            stack_limit: 0,
            chunks: 0,
            looks: 0,
            arena: Arena::default(),
            tapes: Tapes::default(),
            arrays: Arrays::default(),
            trace: Trace::default(),
            zeros: Zeros::default(),
            boxed: Boxed::default(),
            bytes: 0,
            yielder: Cell::new(std::ptr::null()),
        }
    }

    /// Begins a run on a stack that may be used down to `stack_limit`, of functions with up to `results` results in memory.
    #[inline]
    pub fn begin(&mut self, stack_limit: usize, results: usize) {
        self.stack_limit = stack_limit;
        if self.result_area.len() < results {
            self.result_area.resize(results, UNWRITTEN);
        }
        if cfg!(debug_assertions) {
            self.result_area.fill(UNWRITTEN);
        }
        self.results = self.result_area.as_mut_ptr();
    }

    /// Ends a run: nothing of it is left but memory for the next.
    #[inline]
    pub fn end(&mut self) {
        self.boxed.end();
        self.bytes = self.tapes.end(LARGEST_KEPT) + self.arrays.end(LARGEST_KEPT) + self.trace.end();
        if !self.bump.is_null() {
            self.end_arena();
        }
    }

    /// Forgets all objects, and all chunks but the last.
    fn end_arena(&mut self) {
        let last = self.arena.chunks.pop();
        let used = self.bump;
        self.arena.clear();
        (self.bump, self.limit, self.objects) = (std::ptr::null_mut(), std::ptr::null_mut(), 0);
        if let Some(chunk) = last {
            if chunk.layout.size() <= LARGEST_KEPT {
                let Chunk { start, layout, .. } = chunk;
                // SAFETY: the chunk is as long as its layout says, and nothing outlives the run.
                (self.bump, self.limit) = unsafe {
                    mark_unwritten(start, used as usize - start as usize);
                    (start, start.add(layout.size()))
                };
                self.bytes += layout.size();
                self.arena.chunks.push(chunk);
            } else {
                self.arena.chunks.push(chunk);
                self.arena.clear();
            }
        }
        self.chunks = self.arena.chunks.len();
    }

    /// Where objects go from here on: the chunk, and the place in it.
    pub fn mark(&self) -> (usize, *mut u8) {
        (self.arena.chunks.len(), self.bump)
    }

    /// Forgets the objects that were made since, if they are in the chunk of that time; nobody refers to them, but for versions of vectors
    /// that are dead.
    pub fn reset(&mut self, (chunks, bump): (usize, *mut u8)) {
        if self.arena.chunks.len() == chunks {
            let made = bump as u64..self.bump as u64;
            // SAFETY: the handles are those of the run, and nobody reads the records of dead versions.
            unsafe {
                self.boxed.each(|word| {
                    if made.contains(&*word) {
                        *word = 0;
                    }
                });
            }
            self.bump = bump;
        }
    }

    /// Where the objects lie that were made since the arena had so many chunks and its next free byte was `bump`.
    pub fn made_since(&self, chunks: usize, bump: *mut u8) -> Vec<Range<*mut u8>> {
        let all = &self.arena.chunks;
        let end = |i: usize| if i + 1 == all.len() { self.bump } else { all[i].end };
        let first = chunks.checked_sub(1).map(|i| bump..end(i));
        first.into_iter().chain((chunks..all.len()).map(|i| all[i].start..end(i))).collect()
    }

    /// Memory for objects that survive, up to so many bytes.
    pub fn survivors(bytes: usize) -> Option<Chunk> {
        let layout = Layout::from_size_align(bytes.max(ALIGN), ALIGN).ok()?;
        // SAFETY: the size is not zero.
        let start = unsafe { alloc(layout) };
        (!start.is_null()).then_some(Chunk { start, layout, end: start })
    }

    /// Puts survivors in the place of all objects that were made since then. Objects go on after them, up to so many bytes in all.
    ///
    /// # Safety
    /// Nobody refers to the others, and the survivors lie without gaps up to the end of their chunk.
    pub unsafe fn replace_since(&mut self, chunks: usize, bump: *mut u8, survivors: Chunk, bytes: usize) {
        let made = self.arena.full + self.in_last_chunk();
        let old: Vec<Chunk> = self.arena.chunks.drain(chunks..).collect();
        for Chunk { start, layout, .. } in old {
            self.bytes -= layout.size();
            // SAFETY: it was allocated with this layout, and by the contract nobody needs it.
            unsafe { dealloc(start, layout) };
        }
        if let Some(last) = self.arena.chunks.last_mut() {
            last.end = bump;
        }
        let Chunk { start, layout, end } = survivors;
        self.bytes += layout.size();
        self.bump = end;
        self.limit = start.wrapping_add(layout.size().min(bytes));
        self.arena.full = made - (end as usize - start as usize);
        self.arena.chunks.push(survivors);
        self.chunks = self.arena.chunks.len();
    }

    /// Takes so many bytes of what the run may take, if they are left.
    pub fn reserve(&mut self, bytes: usize) -> bool {
        let taken = self.bytes.saturating_add(bytes);
        let fits = taken <= memory::limit();
        if fits {
            self.bytes = taken;
        }
        fits
    }

    /// What the run took; it is the first one of the context.
    pub fn usage(&self) -> Usage {
        let heap_bytes = self.arena.full + self.in_last_chunk() + self.arrays.bytes;
        let (tape_bytes, records) = self.tapes.usage();
        let (trace_bytes, entries) = self.trace.usage();
        let (tape_bytes, records) = (tape_bytes + trace_bytes, records + entries);
        Usage { objects: self.objects, heap_bytes, tape_bytes, operations: self.arrays.operations, records }
    }

    /// Bytes of objects in the last chunk.
    fn in_last_chunk(&self) -> usize {
        self.arena.chunks.last().map_or(0, |chunk| self.bump as usize - chunk.start as usize)
    }

    /// Makes room for `bytes` at `bump`, more than there is; false if there is none to be had.
    pub fn grow(&mut self, bytes: usize) -> bool {
        let doubled = FIRST_CHUNK.saturating_mul(1 << self.arena.chunks.len().min(20));
        let size = bytes.max(doubled.min(LARGEST_CHUNK));
        let Ok(layout) = Layout::from_size_align(size, ALIGN) else { return false };
        if !self.reserve(size) {
            return false;
        }
        // SAFETY: the size is not zero.
        let chunk = unsafe { alloc(layout) };
        if chunk.is_null() {
            return false;
        }
        self.arena.full += self.in_last_chunk();
        if let Some(last) = self.arena.chunks.last_mut() {
            last.end = self.bump;
        }
        self.arena.chunks.push(Chunk { start: chunk, layout, end: chunk });
        self.chunks = self.arena.chunks.len();
        self.looks += 1;
        self.bump = chunk;
        // SAFETY: the chunk is `size` bytes long.
        self.limit = unsafe {
            mark_unwritten(chunk, size);
            chunk.add(size)
        };
        true
    }

    /// Takes `words` words from the arena for an object, uninitialised; none if there are none to be had.
    pub fn allocate(&mut self, words: usize) -> Option<*mut u64> {
        let bytes = words * 8;
        if (self.limit as usize) - (self.bump as usize) < bytes && !self.grow(bytes) {
            return None;
        }
        let object = self.bump.cast::<u64>();
        // SAFETY: `bytes` bytes are left before `limit`.
        self.bump = unsafe { self.bump.add(bytes) };
        self.objects += 1;
        Some(object)
    }
}

impl Arena {
    fn clear(&mut self) {
        self.full = 0;
        for Chunk { start, layout, .. } in self.chunks.drain(..) {
            // SAFETY: the chunk was allocated with this layout, and nothing outlives the run.
            unsafe { dealloc(start, layout) };
        }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arena_is_bounded() {
        let mut context = Context::new();
        // Chunks that are not touched take no memory.
        while context.grow(LARGEST_CHUNK) {
            assert!(context.bytes <= memory::MOST);
        }
        assert!(context.bytes + LARGEST_CHUNK > memory::limit());
        assert!(context.allocate(usize::MAX / 16).is_none());
    }

    #[test]
    fn objects_do_not_overlap() {
        let mut context = Context::new();
        let mut place = |words: usize| {
            let start = context.allocate(words).unwrap() as usize;
            assert!(start + words * 8 <= context.limit as usize);
            (start, start + words * 8)
        };
        let mut objects: Vec<(usize, usize)> = (1..200).chain([20_000, 3]).map(&mut place).collect();
        objects.sort_unstable();
        assert!(objects.windows(2).all(|pair| pair[0].1 <= pair[1].0));
    }

    #[test]
    fn a_run_takes_what_the_last_one_left() {
        let mut context = Context::new();
        assert!(context.grow(100_000) && context.grow(200_000));
        let chunk = context.bump;
        context.allocate(10).unwrap();
        context.end();
        assert_eq!((context.bump, context.usage()), (chunk, Usage::default()));
        assert!(context.grow(LARGEST_KEPT + 1));
        context.end();
        assert!(context.bump.is_null() && context.arena.chunks.is_empty());
    }
}
