//! Arrays of NumPy as arrays of programs, and back.
#![allow(unsafe_code)]
#![warn(clippy::undocumented_unsafe_blocks)]

use gradus::{Array, DType, Dims, Elements, Slice, Storage};
use numpy::ndarray::{ArrayD, IxDyn};
use numpy::npyffi::NPY_TYPES;
use numpy::{Element, PyArray, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// From so many elements on, an array of Rust becomes one of NumPy as it is: below, a copy takes less time than an owner.
const MOVED: usize = 4096;

/// The type of elements of an array, if programs have it.
pub fn dtype(array: &Bound<'_, PyUntypedArray>) -> Option<DType> {
    const WORD: i32 = size_of::<std::ffi::c_long>() as i32;
    let number = array.dtype().num();
    [
        (NPY_TYPES::NPY_DOUBLE, DType::F64),
        (NPY_TYPES::NPY_FLOAT, DType::F32),
        (NPY_TYPES::NPY_LONGLONG, DType::I64),
        (NPY_TYPES::NPY_BOOL, DType::Bool),
        (if WORD == 8 { NPY_TYPES::NPY_LONG } else { NPY_TYPES::NPY_LONGLONG }, DType::I64),
    ]
    .into_iter()
    .find_map(|(known, dtype)| (known as i32 == number).then_some(dtype))
}

/// The array with elements of a type that programs have, aligned, in the order of rows. Integers of other sizes become those of 64 bits.
pub fn plain<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Option<Bound<'py, PyUntypedArray>>> {
    let native = array.dtype().is_native_byteorder() != Some(false);
    if dtype(array).is_some() && native && array.is_c_contiguous() && array.is_aligned() {
        return Ok(Some(array.clone()));
    }
    let name = match (dtype(array), array.dtype().kind()) {
        (Some(dtype), _) => dtype.numpy_name(),
        (None, b'i' | b'u') => "int64",
        (None, _) => return Ok(None),
    };
    let numpy = array.py().import("numpy")?;
    let made = numpy.call_method1("ascontiguousarray", (array, name))?;
    // A view of packed records may be out of line.
    Ok(Some(numpy.call_method1("require", (made, name, "CA"))?.cast_into::<PyUntypedArray>()?))
}

/// The elements of an array in a row.
fn slice<'a, T: Element>(array: &'a Bound<'_, PyUntypedArray>) -> &'a [T] {
    let typed = array.cast::<PyArrayDyn<T>>().expect("the type of elements was looked at");
    if array.is_empty() {
        return &[];
    }
    // SAFETY: the array is aligned, in the order of rows, and of this type; the lock of the interpreter is held while it is read.
    unsafe { std::slice::from_raw_parts(typed.data(), array.len()) }
}

/// Does something with the elements of a [`plain`] array of this type.
pub fn elements<R>(array: &Bound<'_, PyUntypedArray>, dtype: DType, then: impl FnOnce(Slice<'_>) -> R) -> R {
    match dtype {
        DType::F64 => then(Slice::F64(slice(array))),
        DType::F32 => then(Slice::F32(slice(array))),
        DType::I64 => then(Slice::I64(slice(array))),
        DType::Bool => then(Slice::Bool(slice(array))),
    }
}

/// A copy of a [`plain`] array of this type, as compiled code wants it.
pub fn storage(array: &Bound<'_, PyUntypedArray>, dtype: DType, shape: Dims) -> Storage {
    elements(array, dtype, |elements| Storage::copy(elements, shape))
}

/// An object as an array of this type.
pub fn converted<'py>(object: &Bound<'py, PyAny>, dtype: DType) -> PyResult<Bound<'py, PyAny>> {
    object.py().import("numpy")?.call_method1("asarray", (object, dtype.numpy_name()))
}

/// An array of zeros.
pub fn zeros(dtype: DType, shape: Dims) -> Storage {
    match dtype {
        DType::F64 => Storage::copy(Slice::F64(&vec![0.0; shape.count()]), shape),
        DType::F32 => Storage::copy(Slice::F32(&vec![0.0; shape.count()]), shape),
        DType::I64 => Storage::copy(Slice::I64(&vec![0; shape.count()]), shape),
        DType::Bool => Storage::copy(Slice::Bool(&vec![false; shape.count()]), shape),
    }
}

/// A copy of a [`plain`] array as a value.
pub fn value(array: &Bound<'_, PyUntypedArray>, dtype: DType) -> Array {
    let sizes: Vec<i64> = array.shape().iter().map(|&n| n as i64).collect();
    let shape = Dims::new(sizes);
    let elements = elements(array, dtype, |elements| match elements {
        Slice::F64(v) => Elements::F64(v.to_vec()),
        Slice::F32(v) => Elements::F32(v.to_vec()),
        Slice::I64(v) => Elements::I64(v.to_vec()),
        Slice::Bool(v) => Elements::Bool(v.to_vec()),
    });
    Array::new(shape, elements)
}

/// An array of a program as one of NumPy. Of a `derivative` zeros have no sign: the neutral element of sums is -0.0.
pub fn to_python<'py>(py: Python<'py>, array: Array, derivative: bool) -> PyResult<Bound<'py, PyAny>> {
    let dims: Vec<usize> = array.shape().sizes().collect();
    match array.into_elements() {
        Elements::F64(mut v) => {
            if derivative {
                v.iter_mut().for_each(|v| *v += 0.0);
            }
            made(py, dims, v)
        }
        Elements::F32(mut v) => {
            if derivative {
                v.iter_mut().for_each(|v| *v += 0.0);
            }
            made(py, dims, v)
        }
        Elements::I64(v) => made(py, dims, v),
        Elements::Bool(v) => made(py, dims, v),
    }
}

fn made<'py, T: Element + Copy>(py: Python<'py>, dims: Vec<usize>, elements: Vec<T>) -> PyResult<Bound<'py, PyAny>> {
    if elements.len() >= MOVED {
        let array = ArrayD::from_shape_vec(IxDyn(&dims), elements).expect("an array has as many elements as its shape says");
        return Ok(PyArray::from_owned_array(py, array).into_any());
    }
    // SAFETY: all elements are written before anybody sees the array, which has room for as many.
    let array = unsafe {
        let array = PyArray::<T, IxDyn>::new(py, IxDyn(&dims), false);
        std::ptr::copy_nonoverlapping(elements.as_ptr(), array.data(), elements.len());
        array
    };
    Ok(array.into_any())
}
