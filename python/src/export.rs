//! Programs in StableHLO for Python: the text, and the trees that arguments and results are, as data that a file may hold.

use crate::kind::key;
use gradus::xla::{Fault, Program};
use gradus::{Key, Schema, Span, Type, Value};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// What a value is made of, as nested tuples and lists.
type Tree = Py<PyAny>;

/// Whether a string is in a value: what a program does may depend on it, and XLA has none.
pub fn has_text(value: &Value) -> bool {
    match value {
        Value::Str(_) => true,
        Value::Tuple(items) | Value::List(items) | Value::Record(_, items) => items.iter().any(has_text),
        _ => false,
    }
}

/// A program as a dict. `line` says which line of a file a place is in; `known` are arguments whose ints, booleans and strings the
/// program is for alone.
pub fn described<'py>(
    py: Python<'py>,
    program: &Program,
    (params, result): (&[Type], &Type),
    known: Option<&[Value]>,
    line: impl Fn(Span) -> Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let texts = |tensors: &[gradus::xla::Tensor]| tensors.iter().map(|t| t.to_string()).collect::<Vec<_>>();
    let faults = program.faults.iter().map(|fault| match fault {
        Fault::Trap(kind, span) => (kind.to_string(), line(*span)),
        Fault::Long => ("a list is full".to_owned(), None),
        _ => ("a tape is full".to_owned(), None),
    });
    let trees = params.iter().enumerate().map(|(i, ty)| tree(py, ty, known.map(|values| &values[i])));
    let dict = PyDict::new(py);
    dict.set_item("stablehlo", &program.text)?;
    dict.set_item("artifact", PyBytes::new(py, &program.artifact()))?;
    dict.set_item("params", texts(&program.params))?;
    dict.set_item("results", texts(&program.results))?;
    dict.set_item("faults", faults.collect::<Vec<_>>())?;
    dict.set_item("arguments", trees.collect::<PyResult<Vec<_>>>()?)?;
    dict.set_item("result", tree(py, result, None)?)?;
    Ok(dict)
}

/// What values of a type are made of: the name of a kind, and what there is to say of it. The leaves are the tensors of the program, in
/// order; a complex number is two. Ints and booleans that are known are leaves all the same, strings are not.
fn tree(py: Python<'_>, ty: &Type, known: Option<&Value>) -> PyResult<Tree> {
    let trees = |items: &[Type]| {
        let all = items.iter().enumerate().map(|(i, ty)| tree(py, ty, part(known, i)));
        all.collect::<PyResult<Vec<_>>>()
    };
    match (ty, known) {
        (Type::I64, Some(Value::I64(v))) => ("int", v).into_py_any(py),
        (Type::Bool, Some(Value::Bool(v))) => ("bool", v).into_py_any(py),
        (Type::Str, Some(Value::Str(text))) => ("text", &**text).into_py_any(py),
        (Type::F64, _) => ("float",).into_py_any(py),
        (Type::I64, _) => ("int",).into_py_any(py),
        (Type::Bool, _) => ("bool",).into_py_any(py),
        (Type::None | Type::Zero, _) => ("none",).into_py_any(py),
        (Type::Array(dtype, shape), _) => ("array", dtype.numpy_name(), shape.sizes().collect::<Vec<usize>>()).into_py_any(py),
        (Type::Tuple(items), _) => ("tuple", trees(items)?).into_py_any(py),
        (Type::List(items), _) => ("list", trees(items)?).into_py_any(py),
        (Type::Record(schema, _), _) if schema.is_complex() => ("complex",).into_py_any(py),
        (Type::Record(schema, items), _) => {
            let keys = keys(py, schema)?;
            let fields: Vec<(Tree, Tree)> = keys.into_iter().zip(trees(items)?).collect();
            match &schema.class {
                Some(name) => ("record", &**name, fields).into_py_any(py),
                None => ("dict", fields).into_py_any(py),
            }
        }
        (other, _) => Err(PyTypeError::new_err(format!("{} is nothing that XLA takes or gives", other.describe()))),
    }
}

/// The names of fields, or the keys of a dict.
fn keys(py: Python<'_>, schema: &Schema) -> PyResult<Vec<Tree>> {
    let name = |field: &str| match schema.class {
        Some(_) => field.into_py_any(py),
        None => key(py, &Key::of(field)),
    };
    schema.fields.iter().map(|field| name(field)).collect()
}

fn part(known: Option<&Value>, i: usize) -> Option<&Value> {
    match known? {
        Value::Tuple(items) | Value::List(items) | Value::Record(_, items) => items.get(i),
        _ => None,
    }
}
