//! The live classes that instances in arguments and results are of.

use gradus::Schema;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use std::collections::HashMap;
use std::sync::Arc;

/// Classes of a program by their names in its text, and live.
#[derive(Debug)]
pub struct Classes {
    known: Vec<Class>,
    by_type: HashMap<usize, usize>,
    by_name: HashMap<Arc<str>, usize>,
}

/// A class: the names and order of its fields, and the live class.
#[derive(Debug)]
pub struct Class {
    /// The name and the fields.
    pub schema: Arc<Schema>,
    /// The live class.
    pub live: Py<PyType>,
    /// The names of fields, as attributes.
    pub fields: Vec<Py<PyString>>,
}

impl Classes {
    /// The live classes by name, with fields as a program has them.
    pub fn new(live: &Bound<'_, PyDict>, schemas: impl Iterator<Item = Arc<Schema>>) -> PyResult<Classes> {
        let py = live.py();
        let (mut known, mut by_type, mut by_name) = (Vec::new(), HashMap::new(), HashMap::new());
        for schema in schemas {
            let Some(name) = schema.class.clone() else { continue };
            let Some(class) = live.get_item(&*name)? else { continue };
            let class = class.cast_into::<PyType>()?;
            by_type.insert(class.as_ptr().addr(), known.len());
            by_name.insert(name, known.len());
            let fields = schema.fields.iter().map(|field| PyString::intern(py, field).unbind()).collect();
            known.push(Class { schema, live: class.unbind(), fields });
        }
        Ok(Classes { known, by_type, by_name })
    }

    /// The class that an object is an instance of.
    pub fn of(&self, object: &Bound<'_, PyAny>) -> Option<&Class> {
        self.by_type.get(&object.get_type().as_ptr().addr()).map(|&i| &self.known[i])
    }

    /// The class of this name.
    pub fn named(&self, name: &str) -> Option<&Class> {
        self.by_name.get(name).map(|&i| &self.known[i])
    }
}

impl Class {
    /// An instance with these fields. No code of the class runs: it has run in the program.
    pub fn instance<'py>(&self, py: Python<'py>, fields: Vec<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let live = self.live.bind(py);
        if live.is_subclass_of::<PyTuple>()? {
            return live.call_method1("_make", (fields,));
        }
        if live.hasattr("__members__")? {
            // A member of an enum is one object, and a cotangent of it none.
            let name = self.fields.iter().zip(&fields).find(|(field, _)| *field.bind(py) == "name").map(|(_, name)| name);
            return match name.filter(|name| !name.is_none()) {
                Some(name) => live.get_item(name),
                None => Ok(py.None().into_bound(py)),
            };
        }
        let object = py.get_type::<PyAny>().call_method1("__new__", (live,))?;
        let set = py.get_type::<PyAny>().getattr("__setattr__")?;
        for (name, value) in self.fields.iter().zip(fields) {
            // One that is frozen refuses its own.
            set.call1((&object, name, value))?;
        }
        Ok(object)
    }
}
