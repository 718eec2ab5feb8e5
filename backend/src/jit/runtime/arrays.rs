//! The memory of arrays: blocks with a count of references, taken from and given back to lists by size.
//!
//! Compiled code counts references where arrays are handed on, and gives back a block when its last reference goes. What an
//! object or a tape holds keeps its reference until the run ends, when all blocks come back.

use super::heap::Context;
use crate::arrays::{ALIGN, Operation};
use gradus_ir::TrapKind;
use std::alloc::{Layout, alloc, dealloc};
use std::mem::MaybeUninit;

/// What lies before the elements of an array.
#[repr(C)]
#[derive(Debug)]
pub struct Header {
    /// How many references there are.
    pub refs: usize,
    /// The list that it comes from.
    class: usize,
    /// Its place among the blocks in use.
    place: usize,
}

/// The distance from a header to the elements, which are as aligned as kernels want them.
pub const HEADER: usize = ALIGN;

/// Classes of sizes: four for each power of two, from 64 bytes on.
const CLASSES: usize = 4 * 42;

/// The class of blocks for so many bytes.
fn class_of(bytes: usize) -> usize {
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

/// The blocks of a run.
#[derive(Debug)]
pub struct Arrays {
    /// Elements of free blocks, by class.
    free: Vec<Vec<*mut u8>>,
    /// Elements of the blocks in use.
    used: Vec<*mut u8>,
    /// Bytes of all blocks.
    bytes: usize,
    /// Operations of the run.
    operations: usize,
}

impl Default for Arrays {
    fn default() -> Arrays {
        Arrays { free: vec![Vec::new(); CLASSES], used: Vec::new(), bytes: 0, operations: 0 }
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
    pub fn end(&mut self, most: usize) -> usize {
        self.operations = 0;
        for block in self.used.drain(..) {
            // SAFETY: blocks live until they are cleared.
            let class = unsafe { header(block) }.class;
            self.free[class].push(block);
        }
        if self.bytes > most {
            self.clear();
        }
        self.bytes
    }

    /// Puts a block that is in use among the free ones.
    ///
    /// # Safety
    /// It is a block in use.
    unsafe fn give_back(&mut self, block: *mut u8) {
        // SAFETY: by the contract; the block that takes its place is in use, too.
        unsafe {
            let Header { class, place, .. } = *header(block);
            self.used.swap_remove(place);
            if let Some(&other) = self.used.get(place) {
                header(other).place = place;
            }
            self.free[class].push(block);
        }
    }

    /// How many operations the run has done.
    pub fn operations(&self) -> usize {
        self.operations
    }

    /// The bytes of all blocks.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn clear(&mut self) {
        for block in self.used.drain(..).chain(self.free.iter_mut().flat_map(|list| list.drain(..))) {
            // SAFETY: the block was allocated with this layout, and nothing outlives the run.
            unsafe {
                let layout = layout(header(block).class);
                dealloc(block.sub(HEADER), layout);
            }
        }
        self.bytes = 0;
    }
}

impl Drop for Arrays {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Context {
    /// An array of so many bytes, with one reference and without elements; none if there is no memory.
    pub fn array(&mut self, bytes: usize) -> Option<*mut u8> {
        let class = class_of(bytes);
        let elements = match self.arrays.free.get_mut(class)?.pop() {
            Some(elements) => elements,
            None => {
                let layout = layout(class);
                if !self.reserve(layout.size()) {
                    return None;
                }
                // SAFETY: the size is not zero.
                let block = unsafe { alloc(layout) };
                if block.is_null() {
                    return None;
                }
                // SAFETY: the header is a part of the block.
                let elements = unsafe { block.add(HEADER) };
                self.arrays.bytes += layout.size();
                elements
            }
        };
        let place = self.arrays.used.len();
        self.arrays.used.push(elements);
        // SAFETY: nobody else has the block.
        unsafe { elements.sub(HEADER).cast::<Header>().write(Header { refs: 1, class, place }) };
        Some(elements)
    }

    /// An array of so many zero cotangents.
    pub fn zeros(&mut self, bytes: usize) -> Option<*mut u8> {
        let array = self.array(bytes)?;
        // SAFETY: it has so many bytes. Where it holds anything but floats it is not looked at.
        unsafe { std::slice::from_raw_parts_mut(array.cast::<f64>(), bytes.div_ceil(8)).fill(-0.0) };
        Some(array)
    }

    /// Gives back an array without references.
    ///
    /// # Safety
    /// It is one of this run, and in use.
    pub unsafe fn free_array(&mut self, array: *mut u8) {
        // SAFETY: by the contract.
        unsafe { self.arrays.give_back(array) };
    }

    /// A reference less.
    ///
    /// # Safety
    /// The array has one.
    unsafe fn release(&mut self, array: *mut u8) {
        // SAFETY: by the contract.
        unsafe {
            let header = header(array);
            header.refs -= 1;
            if header.refs == 0 {
                self.free_array(array);
            }
        }
    }

    /// The sum of arrays of so many floats, of which null is zero; none if there is no memory.
    ///
    /// # Safety
    /// They are arrays of so many floats.
    pub unsafe fn add_arrays(&mut self, a: *mut u8, b: *mut u8, count: usize) -> Option<*mut u8> {
        if a.is_null() || b.is_null() {
            return Some(if a.is_null() { b } else { a });
        }
        let sum = self.array(8 * count)?;
        for i in 0..count {
            // SAFETY: by the contract.
            unsafe { sum.cast::<f64>().add(i).write(*a.cast::<f64>().add(i) + *b.cast::<f64>().add(i)) };
        }
        Some(sum)
    }
}

/// A place in the code that runs an operation on arrays.
#[derive(Debug)]
pub struct ArrayCall {
    pub operation: Operation,
    /// The operands that are arrays whose last use this is.
    pub last: Vec<u32>,
    pub results: Vec<ArrayResult>,
}

/// A result of an operation.
#[derive(Debug)]
pub enum ArrayResult {
    /// A number or boolean of one or of eight bytes.
    Scalar { is_byte: bool },
    /// An array of so many bytes, which can take the place of any of these operands if nobody else has it.
    Array { bytes: usize, reuse: Vec<u32> },
}

/// Runs an operation on the words at `words`, and puts its results after its operands. Gives a trap's kind, or 0.
///
/// # Safety
/// `words` is room for operands and results, and the operands are such.
pub unsafe fn run(context: &mut Context, call: &ArrayCall, words: *mut u64) -> u32 {
    let count = call.operation.operands.len();
    let mut rooms: [MaybeUninit<Room>; MOST_SCALARS] = [const { MaybeUninit::uninit() }; MOST_SCALARS];
    let mut addresses: [MaybeUninit<*mut u8>; MOST_RESULTS] = [const { MaybeUninit::uninit() }; MOST_RESULTS];
    let mut scalars = 0;
    context.arrays.operations += 1;
    // The operands whose place a result has taken, of the first ones.
    let mut moved = 0_u128;
    let is_moved = |moved: u128, i: u32| i < 128 && moved >> i & 1 == 1;
    // SAFETY: by the contract; arrays of the run have headers, those that are last here have a reference of ours. As many addresses
    // are written as there are results.
    unsafe {
        let (operands, results) = (std::slice::from_raw_parts(words, count), words.add(count));
        for (i, result) in call.results.iter().enumerate() {
            let address = match result {
                ArrayResult::Scalar { .. } => {
                    scalars += 1;
                    rooms[scalars - 1].as_mut_ptr().cast()
                }
                ArrayResult::Array { bytes, reuse } => {
                    let free =
                        |k: &&u32| **k < 128 && !is_moved(moved, **k) && header(operands[**k as usize] as *mut u8).refs == 1;
                    let array = match reuse.iter().find(free) {
                        Some(&k) => {
                            moved |= 1 << k;
                            operands[k as usize] as *mut u8
                        }
                        None => {
                            let Some(array) = context.array(*bytes) else { return TrapKind::OutOfMemory as u32 };
                            if call.operation.updates {
                                std::ptr::copy_nonoverlapping(operands[0] as *const u8, array, *bytes);
                            }
                            array
                        }
                    };
                    results.add(i).write(array as u64);
                    array
                }
            };
            addresses[i].write(address);
        }
        let addresses = std::slice::from_raw_parts(addresses.as_ptr().cast::<*mut u8>(), call.results.len());
        let done = call.operation.run(operands, addresses);
        for &i in call.last.iter().filter(|&&i| !is_moved(moved, i)) {
            context.release(operands[i as usize] as *mut u8);
        }
        for (i, result) in call.results.iter().enumerate() {
            if let ArrayResult::Scalar { is_byte } = *result {
                let word = addresses[i].cast::<u64>();
                results.add(i).write(if is_byte { u64::from(word.cast::<u8>().read()) } else { word.read() });
            }
        }
        done.map_or_else(|kind| kind as u32, |()| 0)
    }
}

/// Room for a result that is a scalar: kernels write whole vectors.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Room {
    _vector: [u64; 8],
}

/// The most scalars among the results of one operation.
pub const MOST_SCALARS: usize = 8;

/// The most results of one operation.
pub const MOST_RESULTS: usize = 32;

/// The array itself, if nobody else has it, or a copy with one reference: what can be written to.
///
/// # Safety
/// It is an array of so many bytes; with `last`, of which a reference goes.
pub unsafe fn own(context: &mut Context, array: *mut u8, bytes: usize, last: bool) -> Option<*mut u8> {
    // SAFETY: by the contract.
    unsafe {
        if last && header(array).refs == 1 {
            return Some(array);
        }
        let copy = context.array(bytes)?;
        std::ptr::copy_nonoverlapping(array, copy, bytes);
        if last {
            context.release(array);
        }
        Some(copy)
    }
}

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
        // SAFETY: it is one of this run, without other references.
        unsafe { context.free_array(a) };
        assert_eq!(context.array(1010), Some(a));
        assert_ne!(context.array(1000), Some(a));
        context.end();
        assert!(context.array(1000).is_some() && context.arrays.used.len() == 1);
    }
}
