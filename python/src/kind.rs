//! How Python objects pass as words: what stands for each part of arguments and results whose sizes are known.

use crate::arrays::Lent;
use crate::classes::Classes;
use crate::{arrays, values};
use gradus::raw::{Form, Storage};
use gradus::{DType, Dims, Key, Schema, Type, Value};
use numpy::PyUntypedArrayMethods;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyComplexMethods, PyDict, PyFloat, PyList, PySequence, PyTuple};
use smallvec::SmallVec;
use std::slice;
use std::sync::Arc;
use std::vec;

/// What an object is.
#[derive(Debug)]
pub enum Kind {
    /// A float.
    Float,
    /// An int of 64 bits: any, or this one, which the code is for.
    Int(Option<i64>),
    /// A boolean, likewise.
    Bool(Option<bool>),
    /// `None`, and what has no cotangent.
    None,
    /// A complex number.
    Complex,
    /// An array, with its sizes as NumPy has them.
    Array(DType, Dims, Vec<usize>),
    /// A tuple.
    Tuple(Vec<Kind>),
    /// A list.
    List(Vec<Kind>),
    /// A dict: its keys, and what they have.
    Dict(Vec<(Py<PyAny>, Kind)>),
    /// An instance of the class of these fields.
    Instance(Arc<Schema>, Vec<Kind>),
}

/// The words and arrays of arguments.
#[derive(Debug, Default)]
pub struct Given {
    /// A word for each scalar and array.
    pub words: SmallVec<[u64; 16]>,
    /// The arrays.
    pub arrays: SmallVec<[Lent; 4]>,
}

impl Kind {
    /// The kind of values of a form; none if their sizes are for the run to say.
    pub fn of(py: Python<'_>, form: &Form) -> Option<Kind> {
        Some(match form {
            Form::Plain(ty) => return Kind::of_type(py, ty),
            Form::Tuple(items) => Kind::Tuple(items.iter().map(|item| Kind::of(py, item)).collect::<Option<_>>()?),
            Form::List(items) => Kind::List(items.iter().map(|item| Kind::of(py, item)).collect::<Option<_>>()?),
            Form::Record(schema, items) => {
                let items = items.iter().map(|item| Kind::of(py, item)).collect::<Option<Vec<_>>>()?;
                match &schema.class {
                    Some(_) if schema.is_complex() => Kind::Complex,
                    Some(_) => Kind::Instance(schema.clone(), items),
                    None => {
                        let keys = schema.fields.iter().map(|field| key(py, &Key::of(field)).ok());
                        Kind::Dict(keys.zip(items).map(|(key, item)| Some((key?, item))).collect::<Option<_>>()?)
                    }
                }
            }
            Form::Boxed(_) | Form::Unbounded(_) | Form::Union(_) => return None,
        })
    }

    /// The kind of values of a type, as programs see it.
    pub fn of_type(py: Python<'_>, ty: &Type) -> Option<Kind> {
        let form = |items: &[Type]| items.iter().map(|item| Form::Plain(item.clone())).collect();
        Some(match ty {
            Type::List(items) => return Kind::of(py, &Form::List(form(items))),
            Type::Record(schema, items) => return Kind::of(py, &Form::Record(schema.clone(), form(items))),
            Type::F64 => Kind::Float,
            Type::I64 => Kind::Int(None),
            Type::Bool => Kind::Bool(None),
            Type::None | Type::Zero => Kind::None,
            &Type::Array(dtype, shape) => Kind::Array(dtype, shape, shape.sizes().collect()),
            Type::Tuple(items) => Kind::Tuple(items.iter().map(|item| Kind::of_type(py, item)).collect::<Option<_>>()?),
            _ => return None,
        })
    }

    /// The same kind, of code that is for the ints and booleans of this value alone.
    pub fn pinned(self, value: &Value) -> Kind {
        let all = |kinds: Vec<Kind>, items: &[Value]| kinds.into_iter().zip(items).map(|(k, v)| k.pinned(v)).collect();
        match (self, value) {
            (Kind::Int(_), Value::I64(v)) => Kind::Int(Some(*v)),
            (Kind::Bool(_), Value::Bool(v)) => Kind::Bool(Some(*v)),
            (Kind::Tuple(kinds), Value::Tuple(items)) => Kind::Tuple(all(kinds, items)),
            (Kind::List(kinds), Value::List(items)) => Kind::List(all(kinds, items)),
            (Kind::Instance(schema, kinds), Value::Record(_, items)) => Kind::Instance(schema, all(kinds, items)),
            (Kind::Dict(kinds), Value::Record(_, items)) => {
                Kind::Dict(kinds.into_iter().zip(items.iter()).map(|((key, k), v)| (key, k.pinned(v))).collect())
            }
            (kind, _) => kind,
        }
    }

    /// Whether it is made of floats, ints and booleans alone.
    pub fn is_scalar(&self) -> bool {
        match self {
            Kind::Array(..) => false,
            Kind::Tuple(items) | Kind::List(items) | Kind::Instance(_, items) => items.iter().all(Kind::is_scalar),
            Kind::Dict(items) => items.iter().all(|(_, item)| item.is_scalar()),
            _ => true,
        }
    }

    /// How many words it has.
    pub fn words(&self) -> usize {
        match self {
            Kind::None => 0,
            Kind::Complex => 2,
            Kind::Tuple(items) | Kind::List(items) | Kind::Instance(_, items) => items.iter().map(Kind::words).sum(),
            Kind::Dict(items) => items.iter().map(|(_, item)| item.words()).sum(),
            Kind::Float | Kind::Int(_) | Kind::Bool(_) | Kind::Array(..) => 1,
        }
    }

    /// Appends the words of an object; false if it is none of this kind. A cotangent may be given loosely: `None` for zeros and for what
    /// has none, ints for floats, a list for a tuple.
    pub fn put(&self, object: &Bound<'_, PyAny>, classes: &Classes, loosely: bool, to: &mut Given) -> PyResult<bool> {
        if loosely && object.is_none() {
            self.put_zeros(to);
            return Ok(true);
        }
        match self {
            Kind::Float => match object.cast::<PyFloat>() {
                Ok(float) => to.words.push(float.value().to_bits()),
                // Scalars of NumPy with fewer bits.
                Err(_) if loosely || values::is_float(object)? => match object.extract::<f64>() {
                    Ok(float) => to.words.push(float.to_bits()),
                    Err(_) => return Ok(false),
                },
                Err(_) => return Ok(false),
            },
            Kind::Int(known) => {
                let int = Some(object).filter(|object| !object.is_instance_of::<PyBool>());
                let int = int.and_then(|int| int.extract::<i64>().ok()).filter(|int| known.is_none_or(|known| known == *int));
                let Some(word) = int else { return Ok(false) };
                to.words.push(word.cast_unsigned());
            }
            Kind::Bool(known) => {
                let bool = object.cast::<PyBool>().ok().map(|bool| bool.is_true());
                let Some(bool) = bool.filter(|bool| known.is_none_or(|known| known == *bool)) else { return Ok(false) };
                to.words.push(bool.into());
            }
            Kind::None => return Ok(loosely || object.is_none()),
            Kind::Complex => {
                let Ok(complex) = object.cast::<PyComplex>() else { return Ok(false) };
                to.words.extend([complex.real().to_bits(), complex.imag().to_bits()]);
            }
            Kind::Array(dtype, shape, sizes) => {
                let given = if loosely { Some(arrays::converted(object, *dtype)?) } else { None };
                let object = given.as_ref().unwrap_or(object);
                let Some(array) = arrays::of(object) else { return Ok(false) };
                if array.shape() != sizes.as_slice() {
                    return Ok(false);
                }
                let Some(array) = arrays::plain(array)?.filter(|(_, own)| own == dtype) else { return Ok(false) };
                to.words.push(0);
                to.arrays.push(arrays::lent(&array, *shape));
            }
            Kind::Tuple(kinds) | Kind::List(kinds) => {
                let is_exact = match self {
                    Kind::List(_) => object.is_exact_instance_of::<PyList>(),
                    _ => object.is_exact_instance_of::<PyTuple>(),
                };
                let Ok(items) = object.cast::<PySequence>() else { return Ok(false) };
                if !(is_exact || loosely) || items.len()? != kinds.len() {
                    return Ok(false);
                }
                for (i, kind) in kinds.iter().enumerate() {
                    if !kind.put(&items.get_item(i)?, classes, loosely, to)? {
                        return Ok(false);
                    }
                }
            }
            Kind::Dict(kinds) => {
                let Some(dict) = object.cast::<PyDict>().ok().filter(|dict| dict.len() == kinds.len()) else { return Ok(false) };
                for ((key, kind), own) in kinds.iter().zip(dict.keys()) {
                    // The order of keys is that of the program.
                    let same = loosely || own.as_ptr() == key.as_ptr() || own.eq(key)?;
                    let item = dict.get_item(key)?.filter(|_| same);
                    let Some(item) = item else { return Ok(false) };
                    if !kind.put(&item, classes, loosely, to)? {
                        return Ok(false);
                    }
                }
            }
            Kind::Instance(schema, kinds) => {
                let class = classes.of(object).filter(|class| class.schema.class == schema.class);
                let Some(class) = class else { return Ok(false) };
                for (kind, field) in kinds.iter().zip(&class.fields) {
                    if !kind.put(&object.getattr(field)?, classes, loosely, to)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    fn put_zeros(&self, to: &mut Given) {
        match self {
            Kind::None => {}
            Kind::Float | Kind::Int(_) | Kind::Bool(_) => to.words.push(0),
            Kind::Complex => to.words.extend([0, 0]),
            Kind::Array(dtype, shape, _) => {
                to.words.push(0);
                to.arrays.push(arrays::zeros(*dtype, *shape));
            }
            Kind::Tuple(kinds) | Kind::List(kinds) | Kind::Instance(_, kinds) => kinds.iter().for_each(|kind| kind.put_zeros(to)),
            Kind::Dict(kinds) => kinds.iter().for_each(|(_, kind)| kind.put_zeros(to)),
        }
    }
}

/// The words and arrays of a result, as they are read.
pub struct Found<'a> {
    /// The words that are left.
    pub words: slice::Iter<'a, u64>,
    /// The arrays that are left.
    pub arrays: vec::IntoIter<Storage>,
    /// Whether it is a derivative: zeros have no sign, for the neutral element of sums is -0.0.
    pub derivative: bool,
}

impl Found<'_> {
    fn word(&mut self) -> u64 {
        *self.words.next().expect("a result has as many words as its kind")
    }

    /// The next float.
    pub fn float(&mut self) -> f64 {
        let float = f64::from_bits(self.word());
        if self.derivative { float + 0.0 } else { float }
    }
}

impl Kind {
    /// The object of this kind that the next words are.
    pub fn take<'py>(&self, py: Python<'py>, classes: &Classes, from: &mut Found<'_>) -> PyResult<Bound<'py, PyAny>> {
        let all = |kinds: &[Kind], from: &mut Found<'_>| -> PyResult<Vec<Bound<'py, PyAny>>> {
            kinds.iter().map(|kind| kind.take(py, classes, from)).collect()
        };
        match self {
            Kind::Float => Ok(PyFloat::new(py, from.float()).into_any()),
            Kind::Int(_) => from.word().cast_signed().into_bound_py_any(py),
            Kind::Bool(_) => (from.word() != 0).into_bound_py_any(py),
            Kind::None => Ok(py.None().into_bound(py)),
            Kind::Complex => {
                let real = from.float();
                Ok(PyComplex::from_doubles(py, real, from.float()).into_any())
            }
            Kind::Array(..) => {
                from.word();
                let array = from.arrays.next().expect("a result has the arrays of its kind");
                arrays::to_python(py, array, from.derivative)
            }
            Kind::Tuple(kinds) => Ok(PyTuple::new(py, all(kinds, from)?)?.into_any()),
            Kind::List(kinds) => Ok(PyList::new(py, all(kinds, from)?)?.into_any()),
            Kind::Dict(kinds) => {
                let dict = PyDict::new(py);
                for (key, kind) in kinds {
                    dict.set_item(key, kind.take(py, classes, from)?)?;
                }
                Ok(dict.into_any())
            }
            Kind::Instance(schema, kinds) => instance(py, classes, schema, all(kinds, from)?),
        }
    }
}

/// An instance with these fields, of its live class; a namespace, if it is what a function captures.
pub fn instance<'py>(
    py: Python<'py>,
    classes: &Classes,
    schema: &Schema,
    fields: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(class) = schema.class.as_ref().and_then(|name| classes.named(name)) {
        return class.instance(py, fields);
    }
    let named = PyDict::new(py);
    for (name, field) in schema.fields.iter().zip(fields) {
        named.set_item(&**name, field)?;
    }
    py.import("types")?.getattr("SimpleNamespace")?.call((), Some(&named))
}

/// The key of a dict.
pub fn key(py: Python<'_>, key: &Key) -> PyResult<Py<PyAny>> {
    match key {
        Key::Str(s) => (&**s).into_py_any(py),
        Key::Int(i) => i.into_py_any(py),
        Key::Float(bits) => f64::from_bits(*bits).into_py_any(py),
        Key::Bool(b) => b.into_py_any(py),
        Key::Tuple(keys) => {
            let keys = keys.iter().map(|k| self::key(py, k)).collect::<PyResult<Vec<_>>>()?;
            Ok(PyTuple::new(py, keys)?.into_any().unbind())
        }
    }
}
