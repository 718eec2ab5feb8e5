//! The memory of an array that has an owner in Rust.

use super::ALIGN;
use crate::memory;
use gradus_ir::eval::Scalar;
use gradus_ir::{Array, DType, Dims, Elements};
use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr::NonNull;

/// The elements of an array, aligned and padded as kernels want them.
#[derive(Debug)]
pub struct Storage {
    /// The type of the elements.
    pub(crate) dtype: DType,
    /// The shape; empty for one element.
    pub(crate) shape: Dims,
    start: NonNull<u8>,
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

/// The number of references that compiled code finds before the elements: it never has the last one.
const BORROWED: usize = 1 << 40;

/// The layout of so many bytes that can be read a little further, after what compiled code counts references by.
fn padded(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes.checked_add(2 * ALIGN)?, ALIGN).ok()
}

impl Storage {
    /// An array whose elements are still to be written. None if it does not fit into the memory that a run may take.
    pub(crate) fn new(dtype: DType, shape: Dims) -> Option<Storage> {
        let layout = padded(dtype.bytes().checked_mul(shape.count())?)?;
        if !memory::take(layout.size()) {
            memory::give(layout.size());
            return None;
        }
        // SAFETY: the size is not zero.
        let block = unsafe { alloc(layout) };
        let Some(block) = NonNull::new(block) else {
            memory::give(layout.size());
            return None;
        };
        // SAFETY: the block begins with so many bytes for the count of references.
        let start = unsafe {
            block.cast::<usize>().write(BORROWED);
            block.add(ALIGN)
        };
        Some(Storage { dtype, shape, start })
    }

    /// A new array for elements that lie elsewhere already. Ends the process as other allocations do if there is no memory.
    fn like(dtype: DType, shape: Dims) -> Storage {
        let layout = || Layout::array::<u64>(shape.count()).unwrap_or(Layout::new::<u64>());
        Storage::new(dtype, shape).unwrap_or_else(|| handle_alloc_error(layout()))
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
        let layout = padded(self.bytes()).unwrap_or_else(|| unreachable!("it was allocated"));
        memory::give(layout.size());
        // SAFETY: it was allocated with this layout.
        unsafe { dealloc(self.address().sub(ALIGN), layout) };
    }
}
