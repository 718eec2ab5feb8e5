//! The memory of an array that has an owner in Rust.

use super::ALIGN;
use crate::memory;
use gradus_ir::eval::Scalar;
use gradus_ir::{Array, DType, Dims, Elements};
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::cell::RefCell;
use std::ptr::NonNull;

/// The elements of an array, aligned and padded as kernels want them.
#[derive(Debug)]
pub struct Storage {
    /// The type of the elements.
    pub(crate) dtype: DType,
    /// The shape; empty for one element.
    pub(crate) shape: Dims,
    start: NonNull<u8>,
    /// How it was allocated, from what lies before the first element on.
    layout: Layout,
}

/// Elements of an array, where they lie in Rust.
#[derive(Clone, Copy, Debug)]
pub enum Slice<'a> {
    /// Booleans.
    Bool(&'a [bool]),
    /// Integers.
    I64(&'a [i64]),
    /// Floats of 32 bits.
    F32(&'a [f32]),
    /// Floats of 64 bits.
    F64(&'a [f64]),
}

// SAFETY: it owns its memory, and whoever has it has all of it.
unsafe impl Send for Storage {}
// SAFETY: a reference lets nobody write to it.
unsafe impl Sync for Storage {}

/// The number of references that compiled code finds before the elements: it never has the last one.
const BORROWED: usize = 1 << 40;

/// The layout of so many bytes that can be read a little further, after what compiled code counts references by.
fn padded(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes.checked_add(2 * ALIGN)?.checked_next_multiple_of(ALIGN)?, ALIGN).ok()
}

/// Memory of small arrays that are gone, for the next ones on this thread: to find aligned memory takes longer than to call a function.
#[derive(Default)]
struct Spare(Vec<(Layout, NonNull<u8>)>);

/// How many blocks are spare, and how large they may be.
const SPARE: [usize; 2] = [32, 8 << 10];

thread_local! {
    static BLOCKS: RefCell<Spare> = RefCell::default();
}

impl Spare {
    /// A block of a layout, from the system if none is spare; null if there is none.
    fn take(layout: Layout) -> *mut u8 {
        let found = BLOCKS.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            let i = spare.0.iter().rposition(|(own, _)| *own == layout)?;
            Some(spare.0.swap_remove(i).1)
        });
        match found {
            Ok(Some(block)) => block.as_ptr(),
            // SAFETY: the size is not zero.
            _ => unsafe { alloc(layout) },
        }
    }

    /// Gives back a block.
    ///
    /// # Safety
    /// It was taken with this layout, and nobody uses it any more.
    unsafe fn give(block: NonNull<u8>, layout: Layout) {
        let kept = layout.size() <= SPARE[1]
            && BLOCKS.try_with(|spare| {
                let mut spare = spare.borrow_mut();
                let has_room = spare.0.len() < SPARE[0];
                if has_room {
                    spare.0.push((layout, block));
                }
                has_room
            }) == Ok(true);
        if !kept {
            // SAFETY: by the contract.
            unsafe { dealloc(block.as_ptr(), layout) };
        }
    }
}

impl Drop for Spare {
    fn drop(&mut self) {
        for (layout, block) in self.0.drain(..) {
            // SAFETY: it was taken with this layout, and nobody uses it.
            unsafe { dealloc(block.as_ptr(), layout) };
        }
    }
}

impl Storage {
    /// An array whose elements are still to be written. None if it does not fit into the memory that a run may take.
    pub(crate) fn new(dtype: DType, shape: Dims) -> Option<Storage> {
        let layout = padded(dtype.bytes().checked_mul(shape.count())?)?;
        if !memory::take(layout.size()) {
            memory::give(layout.size());
            return None;
        }
        let Some(block) = NonNull::new(Spare::take(layout)) else {
            memory::give(layout.size());
            return None;
        };
        // SAFETY: the block begins with so many bytes for the count of references.
        let start = unsafe {
            block.cast::<usize>().write(BORROWED);
            block.add(ALIGN)
        };
        Some(Storage { dtype, shape, start, layout })
    }

    /// An array of a block that a run gives away.
    ///
    /// # Safety
    /// The block was allocated with this layout, [`ALIGN`] bytes before the first element, which is at `start`; it has elements as the
    /// type and shape say, and nobody else has it.
    pub(crate) unsafe fn from_block(dtype: DType, shape: Dims, start: NonNull<u8>, layout: Layout) -> Storage {
        memory::take(layout.size());
        // SAFETY: by the contract.
        unsafe { start.sub(ALIGN).cast::<usize>().write(BORROWED) };
        Storage { dtype, shape, start, layout }
    }

    /// A new array for elements that lie elsewhere already. Ends the process as other allocations do if there is no memory.
    fn like(dtype: DType, shape: Dims) -> Storage {
        let layout = || Layout::array::<u64>(shape.count()).unwrap_or(Layout::new::<u64>());
        Storage::new(dtype, shape).unwrap_or_else(|| handle_alloc_error(layout()))
    }

    /// The type of the elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The shape.
    pub fn shape(&self) -> Dims {
        self.shape
    }

    /// The address of the first element, for who lends it to code that is not ours.
    pub fn as_ptr(&self) -> *const u8 {
        self.start.as_ptr()
    }

    /// The address of the first element.
    pub(crate) fn address(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    fn bytes(&self) -> usize {
        self.dtype.bytes() * self.shape.count()
    }

    /// An array of zero cotangents, or of zeros of another type.
    pub(crate) fn zero(dtype: DType, shape: Dims) -> Option<Storage> {
        let zero = Storage::new(dtype, shape)?;
        // SAFETY: the array has so many elements, of this type, and nobody else has it.
        unsafe {
            match dtype {
                DType::F64 => std::slice::from_raw_parts_mut(zero.address().cast::<f64>(), shape.count()).fill(-0.0),
                DType::F32 => std::slice::from_raw_parts_mut(zero.address().cast::<f32>(), shape.count()).fill(-0.0),
                _ => zero.address().write_bytes(0, zero.bytes()),
            }
        }
        Some(zero)
    }

    /// The elements of a value.
    pub fn import(array: &Array) -> Storage {
        let elements = match array.elements() {
            Elements::Bool(v) => Slice::Bool(v),
            Elements::I64(v) => Slice::I64(v),
            Elements::F32(v) => Slice::F32(v),
            Elements::F64(v) => Slice::F64(v),
        };
        Storage::copy(elements, array.shape())
    }

    /// A copy of elements, in row-major order. Panics if the shape has another number of them.
    pub fn copy(elements: Slice, shape: Dims) -> Storage {
        let (dtype, from, count): (DType, *const u8, usize) = match elements {
            Slice::Bool(v) => (DType::Bool, v.as_ptr().cast(), v.len()),
            Slice::I64(v) => (DType::I64, v.as_ptr().cast(), v.len()),
            Slice::F32(v) => (DType::F32, v.as_ptr().cast(), v.len()),
            Slice::F64(v) => (DType::F64, v.as_ptr().cast(), v.len()),
        };
        assert_eq!(count, shape.count(), "an array has as many elements as its shape says");
        let storage = Storage::like(dtype, shape);
        // SAFETY: there are as many elements of the same type; a `bool` is a byte that is 0 or 1.
        unsafe { std::ptr::copy_nonoverlapping(from, storage.address(), storage.bytes()) };
        storage
    }

    /// A scalar as an array without axes.
    pub(crate) fn of_scalar(scalar: Scalar) -> Storage {
        let (dtype, bytes) = match scalar {
            Scalar::F64(v) => (DType::F64, v.to_ne_bytes()),
            Scalar::I64(v) => (DType::I64, v.to_ne_bytes()),
            Scalar::Bool(v) => (DType::Bool, [v.into(); 8]),
        };
        let storage = Storage::like(dtype, Dims::NONE);
        // SAFETY: there is room for one element of the type, of which these are the bytes.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), storage.address(), storage.bytes()) };
        storage
    }

    /// The elements as a value.
    pub fn export(&self) -> Array {
        // SAFETY: the array has been written to.
        unsafe { export(self.address(), self.dtype, self.shape) }
    }
}

/// The value of an array at an address.
///
/// # Safety
/// There are so many elements of this type.
pub unsafe fn export(start: *const u8, dtype: DType, shape: Dims) -> Array {
    let count = shape.count();
    // SAFETY: by the contract.
    let elements = unsafe {
        match dtype {
            DType::Bool => Elements::Bool(std::slice::from_raw_parts(start, count).iter().map(|&b| b != 0).collect()),
            DType::I64 => Elements::I64(std::slice::from_raw_parts(start.cast::<i64>(), count).to_vec()),
            DType::F32 => Elements::F32(std::slice::from_raw_parts(start.cast::<f32>(), count).to_vec()),
            DType::F64 => Elements::F64(std::slice::from_raw_parts(start.cast::<f64>(), count).to_vec()),
        }
    };
    Array::new(shape, elements)
}

/// A copy of an array at an address, as memory of its own.
///
/// # Safety
/// There are so many elements of this type.
pub unsafe fn copy(start: *const u8, dtype: DType, shape: Dims) -> Storage {
    let storage = Storage::like(dtype, shape);
    // SAFETY: by the contract; the new array has as many bytes.
    unsafe { std::ptr::copy_nonoverlapping(start, storage.address(), storage.bytes()) };
    storage
}

impl Storage {
    /// A copy. None if there is no memory for it.
    pub(crate) fn copied(&self) -> Option<Storage> {
        let copy = Storage::new(self.dtype, self.shape)?;
        // SAFETY: both have so many bytes.
        unsafe { std::ptr::copy_nonoverlapping(self.address(), copy.address(), self.bytes()) };
        Some(copy)
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        memory::give(self.layout.size());
        // SAFETY: it was allocated with this layout.
        unsafe { Spare::give(self.start.sub(ALIGN), self.layout) };
    }
}
