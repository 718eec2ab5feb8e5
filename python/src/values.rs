//! Python objects as values whose types are known at run time alone: how arguments are first seen, and what has no words.

use crate::arrays;
use crate::classes::Classes;
use crate::kind::{instance, key};
use gradus::raw::Storage;
use gradus::{Key, Schema, Value};
use numpy::PyUntypedArrayMethods;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyComplexMethods, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};
use std::sync::Arc;

/// Whether an object is a scalar of NumPy.
pub fn is_generic(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static GENERIC: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let generic = GENERIC.import(object.py(), "numpy", "generic")?;
    object.is_instance(generic)
}

/// Whether an object is a float of NumPy.
pub fn is_float(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static FLOATING: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    object.is_instance(FLOATING.import(object.py(), "numpy", "floating")?)
}

/// The value that an object is.
pub fn value(object: &Bound<'_, PyAny>, classes: &Classes) -> PyResult<Value> {
    if let Ok(float) = object.cast::<PyFloat>() {
        return Ok(Value::F64(float.value()));
    }
    if let Ok(bool) = object.cast::<PyBool>() {
        return Ok(Value::Bool(bool.is_true()));
    }
    if let Ok(int) = object.cast::<PyInt>() {
        let wide = |_| PyOverflowError::new_err(format!("{int} does not fit into 64 bits; write it as a float"));
        return int.extract().map(Value::I64).map_err(wide);
    }
    if object.is_none() {
        return Ok(Value::None);
    }
    if let Some(array) = arrays::of(object) {
        if array.ndim() == 0 {
            return value(&object.call_method0("item")?, classes);
        }
        let found = arrays::plain(array)?.map(|array| arrays::value(&array));
        return found.map(Value::Array).ok_or_else(|| {
            let dtype = object.getattr("dtype").map(|dtype| dtype.to_string()).unwrap_or_default();
            PyTypeError::new_err(format!("an array of {dtype} is no argument: arrays hold floats, ints or booleans"))
        });
    }
    if let Ok(complex) = object.cast::<PyComplex>() {
        let parts = [Value::F64(complex.real()), Value::F64(complex.imag())];
        return Ok(Value::Record(Schema::complex(), Arc::new(parts)));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::Str(text.to_cow()?.into()));
    }
    if is_generic(object)? {
        return value(&object.call_method0("item")?, classes);
    }
    if let Ok(tuple) = object.cast_exact::<PyTuple>() {
        return Ok(Value::Tuple(tuple.iter().map(|item| value(&item, classes)).collect::<PyResult<_>>()?));
    }
    if let Ok(list) = object.cast_exact::<PyList>() {
        return Ok(Value::List(list.iter().map(|item| value(&item, classes)).collect::<PyResult<_>>()?));
    }
    if let Some(class) = classes.of(object) {
        let fields = class.fields.iter().map(|field| value(&object.getattr(field)?, classes));
        return Ok(Value::Record(class.schema.clone(), fields.collect::<PyResult<_>>()?));
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let (mut names, mut items) = (Vec::new(), Vec::new());
        for (key, item) in dict.iter() {
            names.push(key_of(&key)?.name());
            items.push(value(&item, classes)?);
        }
        return Ok(Value::Record(Arc::new(Schema { class: None, fields: names.into() }), items.into()));
    }
    Err(PyTypeError::new_err(format!("a `{}` is no argument of a program", object.get_type().name()?)))
}

fn key_of(object: &Bound<'_, PyAny>) -> PyResult<Key> {
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Key::Str(text.to_cow()?.into()));
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return Ok(Key::Tuple(tuple.iter().map(|item| key_of(&item)).collect::<PyResult<_>>()?));
    }
    match object.extract() {
        Ok(int) if !object.is_instance_of::<PyBool>() => Ok(Key::Int(int)),
        _ => Err(PyTypeError::new_err(format!("{} is no key of a dict here: keys are strings, ints and tuples", object.repr()?))),
    }
}

/// The object that a value is.
pub fn to_python<'py>(py: Python<'py>, v: &Value, classes: &Classes, derivative: bool) -> PyResult<Bound<'py, PyAny>> {
    let all = |items: &[Value]| -> PyResult<Vec<Bound<'py, PyAny>>> {
        items.iter().map(|item| to_python(py, item, classes, derivative)).collect()
    };
    match v {
        Value::F64(v) => Ok(PyFloat::new(py, if derivative { v + 0.0 } else { *v }).into_any()),
        Value::I64(v) => v.into_bound_py_any(py),
        Value::Bool(v) => v.into_bound_py_any(py),
        Value::Str(s) => (&**s).into_bound_py_any(py),
        Value::None | Value::Zero => Ok(py.None().into_bound(py)),
        Value::Array(array) => arrays::to_python(py, Storage::import(array), derivative),
        Value::Tuple(items) => Ok(PyTuple::new(py, all(items)?)?.into_any()),
        Value::List(items) => Ok(PyList::new(py, all(items)?)?.into_any()),
        Value::Record(schema, items) => match (&schema.class, &items[..]) {
            (Some(_), [Value::F64(real), Value::F64(imag)]) if schema.is_complex() => {
                Ok(PyComplex::from_doubles(py, *real, *imag).into_any())
            }
            (Some(_), _) => instance(py, classes, schema, all(items)?),
            (None, _) => {
                let dict = PyDict::new(py);
                for (name, item) in schema.fields.iter().zip(all(items)?) {
                    dict.set_item(key(py, &Key::of(name))?, item)?;
                }
                Ok(dict.into_any())
            }
        },
    }
}
