//! The memory of arrays: blocks with a count of references, taken from and given back to lists by size.
//!
//! Compiled code counts references where arrays are handed on, and gives back a block when its last reference goes. What an
//! object or a record holds keeps its reference until the run ends, when all blocks come back, but for records that are popped once:
//! who pops them has their references.

use super::heap::{Context, mark_unwritten};
use crate::arrays::{ALIGN, Operation};
use gradus_ir::DType;
use std::alloc::{Layout, alloc, dealloc};
use std::ptr::null_mut;
use std::slice::from_raw_parts;

/// What lies before the elements of an array.
#[repr(C)]
#[derive(Debug)]
struct Header {
    /// How many references there are.
    refs: usize,
    /// The list that it comes from.
    class: usize,
}

/// The distance from a header, which begins with the number of references, to the elements, which are as aligned as kernels want
/// them.
pub const HEADER: usize = ALIGN;

/// Classes of sizes: four for each power of two, from 64 bytes on.
pub const CLASSES: usize = 4 * 42;

/// The class of blocks for so many bytes.
pub fn class_of(bytes: usize) -> usize {
    let bytes = bytes.max(64);
    let power = bytes.ilog2() as usize;
    let quarter = (bytes - (1 << power)).div_ceil(1 << (power - 2));
    4 * (power - 6) + quarter
}

/// The bytes that blocks of a class have.
fn class_bytes(class: usize) -> usize {
    let (power, quarter) = (class / 4 + 6, class % 4);
    (1 << power) + quarter * (1 << (power - 2))
}

/// The blocks of a run. Compiled code takes and gives back blocks itself, as [`Context::array`] and [`Arrays::put`] do.
#[repr(C)]
#[derive(Debug)]
pub struct Arrays {
    /// How many blocks are in use.
    pub used: usize,
    /// Operations of the run.
    pub operations: usize,
    /// The elements of the first free block of each class, or null. A free block begins with those of the next one.
    pub free: [*mut u8; CLASSES],
    /// The elements of all blocks.
    blocks: Vec<*mut u8>,
    /// Bytes of all blocks.
    pub bytes: usize,
    /// Beyond how many of them loops look for dead objects, which may hold some.
    look_at: usize,
}

/// No loop looks for dead objects since blocks take more than so many bytes.
const LEAST_LOOKED_AT: usize = if cfg!(debug_assertions) { 1 << 16 } else { 4 << 20 };

impl Default for Arrays {
    fn default() -> Arrays {
        Arrays { used: 0, operations: 0, free: [null_mut(); CLASSES], blocks: Vec::new(), bytes: 0, look_at: LEAST_LOOKED_AT }
    }
}

/// # Safety
/// These are the elements of a block.
unsafe fn header<'a>(elements: *mut u8) -> &'a mut Header {
    // SAFETY: by the contract, its header lies before them.
    unsafe { &mut *elements.sub(HEADER).cast::<Header>() }
}

fn layout(class: usize) -> Layout {
    Layout::from_size_align(HEADER + class_bytes(class) + ALIGN, ALIGN).expect("sizes of blocks are checked")
}

impl Arrays {
    /// Ends a run: all blocks are free, or gone if they are too many. Gives the bytes that are kept.
    #[inline]
    pub fn end(&mut self, most: usize) -> usize {
        self.operations = 0;
        if self.bytes > most {
            self.clear();
        }
        if self.used > 0 {
            self.free_all();
        }
        self.bytes
    }

    /// Puts all blocks among the free ones.
    fn free_all(&mut self) {
        self.free = [null_mut(); CLASSES];
        for i in 0..self.blocks.len() {
            // SAFETY: blocks live until they are cleared, and nobody uses them now.
            unsafe { self.put(self.blocks[i]) };
        }
        self.used = 0;
    }

    /// Gives back a reference to a block.
    ///
    /// # Safety
    /// There is one, which is not used any more.
    pub unsafe fn release(&mut self, block: *mut u8) {
        // SAFETY: by the contract.
        unsafe {
            header(block).refs -= 1;
            if header(block).refs == 0 {
                self.put(block);
                self.used -= 1;
            }
        }
    }

    /// Takes a block away from the run, if this is one that nobody else refers to: how it was allocated, [`HEADER`] bytes before.
    ///
    /// # Safety
    /// It is an array of the run or one of its arguments, and one reference is the caller's.
    pub unsafe fn detach(&mut self, elements: *mut u8) -> Option<Layout> {
        // SAFETY: by the contract, it has a header, of which arguments and constants have the number of references alone.
        if unsafe { elements.sub(HEADER).cast::<usize>().read() } != 1 {
            return None;
        }
        let i = self.blocks.iter().rposition(|&block| block == elements)?;
        self.blocks.swap_remove(i);
        // SAFETY: it is a block of the run.
        let layout = layout(unsafe { header(elements) }.class);
        self.used -= 1;
        self.bytes -= layout.size();
        Some(layout)
    }

    /// An array that one more object refers to, or null.
    ///
    /// # Safety
    /// It is an array of the run, or null.
    pub unsafe fn shared(&mut self, block: *mut u8) -> *mut u8 {
        if !block.is_null() {
            // SAFETY: by the contract.
            unsafe { header(block).refs += 1 };
        }
        block
    }

    /// Puts a block among the free ones.
    ///
    /// # Safety
    /// It is a block that nobody uses and that is not among them.
    unsafe fn put(&mut self, block: *mut u8) {
        // SAFETY: by the contract; each has room for an address.
        unsafe {
            mark_unwritten(block, layout(header(block).class).size() - HEADER);
            let first = &mut self.free[header(block).class];
            block.cast::<*mut u8>().write(*first);
            *first = block;
        }
    }

    /// Whether blocks take so much more than so many bytes that objects which hold them are worth a look.
    pub fn have_grown_since(&self, bytes: usize) -> bool {
        2 * self.bytes.saturating_sub(bytes) > bytes.max(LEAST_LOOKED_AT)
    }

    fn clear(&mut self) {
        for block in self.blocks.drain(..) {
            // SAFETY: the block was allocated with this layout, and nothing outlives the run.
            unsafe {
                let layout = layout(header(block).class);
                dealloc(block.sub(HEADER), layout);
            }
        }
        (self.free, self.used, self.bytes, self.look_at) = ([null_mut(); CLASSES], 0, 0, LEAST_LOOKED_AT);
    }
}

impl Drop for Arrays {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Context {
    /// Gives back the memory of all free blocks, so that blocks that are taken are counted.
    pub fn give_back_blocks(&mut self) {
        let Arrays { free, blocks, bytes, look_at, .. } = &mut self.arrays;
        let before = *bytes;
        // SAFETY: free blocks begin with the next one; blocks have the layouts of their classes, and nobody uses free ones.
        unsafe {
            for first in free {
                let mut block = std::mem::replace(first, null_mut());
                while !block.is_null() {
                    header(block).refs = 0;
                    block = block.cast::<*mut u8>().read();
                }
            }
            blocks.retain(|&block| {
                let is_used = header(block).refs > 0;
                if !is_used {
                    let layout = layout(header(block).class);
                    *bytes -= layout.size();
                    dealloc(block.sub(HEADER), layout);
                }
                is_used
            });
        }
        *look_at = LEAST_LOOKED_AT.max(2 * *bytes);
        self.bytes -= before - self.arrays.bytes;
    }

    /// A new block of a class, which begins with null; none if there is no memory.
    pub fn block(&mut self, class: usize) -> Option<*mut u8> {
        let layout = layout(class);
        if !self.reserve(layout.size()) {
            return None;
        }
        // SAFETY: the size is not zero.
        let block = unsafe { alloc(layout) };
        if block.is_null() {
            return None;
        }
        // SAFETY: the block has room for a header and an address.
        let elements = unsafe {
            let elements = block.add(HEADER);
            block.cast::<Header>().write(Header { refs: 0, class });
            mark_unwritten(elements, layout.size() - HEADER);
            elements.cast::<*mut u8>().write(null_mut());
            elements
        };
        self.arrays.blocks.push(elements);
        self.arrays.bytes += layout.size();
        if self.arrays.bytes > self.arrays.look_at {
            self.arrays.look_at = 2 * self.arrays.bytes;
            self.looks += 1;
        }
        Some(elements)
    }

    /// An array of so many bytes, with one reference and without elements; none if there is no memory.
    pub fn array(&mut self, bytes: usize) -> Option<*mut u8> {
        let class = class_of(bytes);
        let mut elements = *self.arrays.free.get(class)?;
        if elements.is_null() {
            elements = self.block(class)?;
        }
        // SAFETY: nobody has the block, which begins with the address of the next free one.
        unsafe {
            self.arrays.free[class] = elements.cast::<*mut u8>().read();
            header(elements).refs = 1;
        }
        self.arrays.used += 1;
        Some(elements)
    }

    /// A copy of an array of so many bytes.
    ///
    /// # Safety
    /// It has so many.
    pub unsafe fn copy(&mut self, array: *const u8, bytes: usize) -> Option<*mut u8> {
        let copy = self.array(bytes)?;
        // SAFETY: by the contract, and nobody else has the copy.
        unsafe { std::ptr::copy_nonoverlapping(array, copy, bytes) };
        Some(copy)
    }

    /// An array of so many bytes of zero cotangents, eight of which have these bits.
    pub fn zeros(&mut self, bytes: usize, bits: u64) -> Option<*mut u8> {
        let array = self.array(bytes)?;
        // SAFETY: it has so many bytes. Where it holds anything but floats it is not looked at.
        unsafe { std::slice::from_raw_parts_mut(array.cast::<u64>(), bytes.div_ceil(8)).fill(bits) };
        Some(array)
    }

    /// The sum of arrays of so many floats, of which null is zero; none if there is no memory.
    ///
    /// # Safety
    /// They are arrays of so many floats of this type.
    pub unsafe fn add_arrays(&mut self, a: *mut u8, b: *mut u8, dtype: DType, count: usize) -> Option<*mut u8> {
        if a.is_null() || b.is_null() {
            // SAFETY: by the contract.
            return Some(unsafe { self.arrays.shared(if a.is_null() { b } else { a }) });
        }
        let sum = self.array(dtype.bytes() * count)?;
        for i in 0..count {
            // SAFETY: by the contract.
            unsafe {
                match dtype {
                    DType::F32 => sum.cast::<f32>().add(i).write(*a.cast::<f32>().add(i) + *b.cast::<f32>().add(i)),
                    _ => sum.cast::<f64>().add(i).write(*a.cast::<f64>().add(i) + *b.cast::<f64>().add(i)),
                }
            }
        }
        Some(sum)
    }
}

/// Runs an operation, where it has no code of its own. Gives a trap's kind, or 0.
///
/// # Safety
/// As for [`Operation::run`].
pub unsafe extern "C" fn apply(inputs: *const u64, outputs: *const *mut u8, operation: &Operation) -> u32 {
    // SAFETY: by the contract there are as many.
    let (inputs, outputs) =
        unsafe { (from_raw_parts(inputs, operation.operands.len()), from_raw_parts(outputs, operation.results.len())) };
    // SAFETY: by the contract.
    unsafe { operation.run(inputs, outputs) }.map_or_else(|kind| kind as u32, |()| 0)
}

/// The most scalars among the results of one operation.
pub const MOST_SCALARS: usize = 8;

/// The most results of one operation.
pub const MOST_RESULTS: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_their_sizes() {
        for bytes in (0..5000).chain([1 << 20, (1 << 20) + 1, 3 << 30]) {
            let class = class_of(bytes);
            assert!(class_bytes(class) >= bytes && (class == 0 || class_bytes(class - 1) < bytes), "{bytes}");
        }
    }

    #[test]
    fn blocks_are_used_again() {
        let mut context = Context::new();
        let a = context.array(1000).unwrap();
        // SAFETY: nobody uses it any more.
        unsafe { context.arrays.put(a) };
        assert_eq!(context.array(1010), Some(a));
        assert_ne!(context.array(1000), Some(a));
        context.end();
        assert!(context.array(1000).is_some() && context.arrays.used == 1);
    }
}
