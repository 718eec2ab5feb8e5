//! Arrays of NumPy as arrays of programs, and back. What a program gives keeps its memory, and is lent to the next one as it is.
#![allow(unsafe_code)]
#![warn(clippy::undocumented_unsafe_blocks)]

use gradus::raw::{Slice, Storage};
use gradus::{Array, DType, Dims, Elements};
use numpy::ndarray::{ArrayView, IxDyn};
use numpy::{Element, PyArray, PyArrayDescr, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::PyTypeInfo;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::borrow::Borrow;

/// From so many elements on, an array of a program becomes one of NumPy as it is: below, a copy takes less time than an owner.
const MOVED: usize = 4096;

/// The memory of an array that a program gave: the base of an array of NumPy.
#[pyclass(frozen, module = "gradus._native")]
pub struct Owner(Storage);

/// An array that a program is given.
#[derive(Debug)]
pub enum Lent {
    /// A copy.
    Own(Storage),
    /// Memory of an array that a program gave.
    Shared(Py<Owner>),
}

impl Lent {
    /// Memory of its own, which lives on after the call.
    pub fn into_own(self) -> Storage {
        match self {
            Lent::Own(storage) => storage,
            Lent::Shared(owner) => Storage::import(&owner.get().0.export()),
        }
    }
}

impl Borrow<Storage> for Lent {
    fn borrow(&self) -> &Storage {
        match self {
            Lent::Own(storage) => storage,
            Lent::Shared(owner) => &owner.get().0,
        }
    }
}

/// The array that an object is. One of a class of its own may mean something else by `*` than arrays do.
pub fn of<'a, 'py>(object: &'a Bound<'py, PyAny>) -> Option<&'a Bound<'py, PyUntypedArray>> {
    let array = object.cast::<PyUntypedArray>().ok()?;
    array.get_type().is(PyUntypedArray::type_object(object.py())).then_some(array)
}

/// The type of elements of an array, if programs have it, in the order of bytes that the machine has.
pub fn dtype(array: &Bound<'_, PyUntypedArray>) -> Option<DType> {
    static KNOWN: PyOnceLock<[Py<PyArrayDescr>; 4]> = PyOnceLock::new();
    let py = array.py();
    let known = KNOWN.get_or_init(py, || {
        [numpy::dtype::<f64>(py), numpy::dtype::<f32>(py), numpy::dtype::<i64>(py), numpy::dtype::<bool>(py)].map(Bound::unbind)
    });
    const TYPES: [DType; 4] = [DType::F64, DType::F32, DType::I64, DType::Bool];
    let own = array.dtype();
    let of = |is: &dyn Fn(&Bound<'_, PyArrayDescr>) -> bool| known.iter().position(|d| is(d.bind(py))).map(|i| TYPES[i]);
    // Nearly always there is one object for the type.
    of(&|known| known.is(&own)).or_else(|| of(&|known| known.is_equiv_to(&own)))
}

/// The array with elements of a type that programs have, aligned, in the order of rows. Integers of other sizes become those of 64 bits.
pub fn plain<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Option<(Bound<'py, PyUntypedArray>, DType)>> {
    let own = dtype(array);
    if let Some(dtype) = own
        && array.is_c_contiguous()
        && array.is_aligned()
    {
        return Ok(Some((array.clone(), dtype)));
    }
    let foreign = array.dtype();
    let dtype = match (own, foreign.kind(), foreign.itemsize()) {
        (Some(dtype), ..) => dtype,
        (None, b'i' | b'u', _) => DType::I64,
        (None, b'f', 8) => DType::F64,
        (None, b'f', 4) => DType::F32,
        _ => return Ok(None),
    };
    if foreign.kind() == b'u' && foreign.itemsize() == 8 && !array.is_empty() {
        let most = array.call_method0("max")?;
        most.extract::<i64>().map_err(|_| PyOverflowError::new_err(format!("{most} does not fit into 64 bits with a sign")))?;
    }
    // It makes rows of what has strides, and aligns what does not lie on a word.
    let made = array.py().import("numpy")?.call_method1("require", (array, dtype.numpy_name(), "CA"))?;
    Ok(Some((made.cast_into::<PyUntypedArray>()?, dtype)))
}

/// An object as an array of this type.
pub fn converted<'py>(object: &Bound<'py, PyAny>, dtype: DType) -> PyResult<Bound<'py, PyAny>> {
    object.py().import("numpy")?.call_method1("asarray", (object, dtype.numpy_name()))
}

/// Where the elements of an array begin.
fn start(array: &Bound<'_, PyUntypedArray>) -> *const u8 {
    // SAFETY: an array of NumPy has these fields.
    unsafe { (*array.as_array_ptr()).fields.data.cast() }
}

/// The elements of an array in a row.
///
/// # Safety
/// It is a [`plain`] array of this type.
unsafe fn slice<'a, T>(array: &'a Bound<'_, PyUntypedArray>) -> &'a [T] {
    if array.is_empty() {
        return &[];
    }
    // SAFETY: by the contract; the lock of the interpreter is held while it is read.
    unsafe { std::slice::from_raw_parts(start(array).cast::<T>(), array.len()) }
}

/// Does something with the elements of a [`plain`] array.
fn elements<R>((array, dtype): &(Bound<'_, PyUntypedArray>, DType), then: impl FnOnce(Slice<'_>) -> R) -> R {
    // SAFETY: the array is plain and of the type that is said beside it.
    unsafe {
        match dtype {
            DType::F64 => then(Slice::F64(slice(array))),
            DType::F32 => then(Slice::F32(slice(array))),
            DType::I64 => then(Slice::I64(slice(array))),
            DType::Bool => then(Slice::Bool(slice(array))),
        }
    }
}

/// A [`plain`] array of this shape as compiled code wants it: as it is, if a program gave it, or a copy.
pub fn lent(array: &(Bound<'_, PyUntypedArray>, DType), shape: Dims) -> Lent {
    // SAFETY: an array of NumPy has this field, which is null or an object that it holds.
    let base = unsafe { Bound::from_borrowed_ptr_or_opt(array.0.py(), (*array.0.as_array_ptr()).fields.base) };
    if let Some(owner) = base.as_ref().and_then(|base| base.cast_exact::<Owner>().ok()) {
        let storage = &owner.get().0;
        if storage.as_ptr() == start(&array.0) && (storage.dtype(), storage.shape()) == (array.1, shape) {
            return Lent::Shared(owner.clone().unbind());
        }
    }
    Lent::Own(elements(array, |elements| Storage::copy(elements, shape)))
}

/// An array of zeros.
pub fn zeros(dtype: DType, shape: Dims) -> Lent {
    Lent::Own(match dtype {
        DType::F64 => Storage::copy(Slice::F64(&vec![0.0; shape.count()]), shape),
        DType::F32 => Storage::copy(Slice::F32(&vec![0.0; shape.count()]), shape),
        DType::I64 => Storage::copy(Slice::I64(&vec![0; shape.count()]), shape),
        DType::Bool => Storage::copy(Slice::Bool(&vec![false; shape.count()]), shape),
    })
}

/// A copy of a [`plain`] array as a value.
pub fn value(array: &(Bound<'_, PyUntypedArray>, DType)) -> Array {
    let sizes: Vec<i64> = array.0.shape().iter().map(|&n| n as i64).collect();
    let elements = elements(array, |elements| match elements {
        Slice::F64(v) => Elements::F64(v.to_vec()),
        Slice::F32(v) => Elements::F32(v.to_vec()),
        Slice::I64(v) => Elements::I64(v.to_vec()),
        Slice::Bool(v) => Elements::Bool(v.to_vec()),
    });
    Array::new(Dims::new(sizes), elements)
}

/// An array of a program as one of NumPy. Of a `derivative` zeros have no sign: the neutral element of sums is -0.0.
pub fn to_python<'py>(py: Python<'py>, array: Storage, derivative: bool) -> PyResult<Bound<'py, PyAny>> {
    match array.dtype() {
        DType::F64 => made(py, array, |v: &mut f64| *v += if derivative { 0.0 } else { -0.0 }),
        DType::F32 => made(py, array, |v: &mut f32| *v += if derivative { 0.0 } else { -0.0 }),
        DType::I64 => made(py, array, |_: &mut i64| ()),
        DType::Bool => made(py, array, |_: &mut bool| ()),
    }
}

fn made<'py, T: Element + Copy>(py: Python<'py>, array: Storage, finish: impl Fn(&mut T)) -> PyResult<Bound<'py, PyAny>> {
    let shape = array.shape();
    let (dims, count): (Vec<usize>, usize) = (shape.sizes().collect(), shape.count());
    let from = array.as_ptr().cast::<T>();
    let made = if count < MOVED {
        // SAFETY: all elements are written before anybody sees the array, which has room for as many, of the same type.
        unsafe {
            let made = PyArray::<T, IxDyn>::new(py, IxDyn(&dims), false);
            std::ptr::copy_nonoverlapping(from, made.data(), count);
            made
        }
    } else {
        let owner = Bound::new(py, Owner(array))?;
        // SAFETY: there are so many elements of the type where the owner keeps them, and nobody else has them.
        unsafe { PyArray::borrow_from_array(&ArrayView::from_shape_ptr(IxDyn(&dims), from), owner.into_any()) }
    };
    if count > 0 {
        // SAFETY: nobody else has seen the array yet.
        unsafe { std::slice::from_raw_parts_mut(made.data(), count) }.iter_mut().for_each(finish);
    }
    Ok(made.into_any())
}
