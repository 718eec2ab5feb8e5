//! Where live objects are found at each call.
#![allow(unsafe_code)]
#![warn(clippy::undocumented_unsafe_blocks)]

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFunction, PyString, PyTuple};

/// Where a live object is found.
pub enum Place {
    /// Under a name of a module.
    Global(Py<PyDict>, Py<PyString>),
    /// Under the name of an object; in a cell of a closure, too.
    Attribute(Py<PyAny>, Py<PyString>),
}

/// That the same object is found there as before, or none as before.
pub struct Guard {
    place: Place,
    value: Option<Py<PyAny>>,
    /// For what functions and cells have: which of the words that the holder is made of is the address of the object. Asking for the
    /// attribute takes twenty times as long as a call may.
    word: Option<usize>,
}

impl Place {
    /// A place as Python describes it.
    pub fn read(given: &Bound<'_, PyTuple>) -> PyResult<Place> {
        let (kind, holder, name): (String, Bound<'_, PyAny>, Bound<'_, PyString>) = given.extract()?;
        Ok(match &*kind {
            "dict" | "absent" => Place::Global(holder.cast_into::<PyDict>()?.unbind(), name.unbind()),
            _ => Place::Attribute(holder.unbind(), name.unbind()),
        })
    }

    /// The object; none if it is not there any more.
    pub fn find<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self {
            Place::Global(dict, name) => dict.bind(py).get_item(name),
            Place::Attribute(holder, name) => Ok(holder.bind(py).getattr(name).ok()),
        }
    }
}

impl Guard {
    /// A guard of an object at a place.
    pub fn new(py: Python<'_>, given: &Bound<'_, PyTuple>, value: Py<PyAny>) -> PyResult<Guard> {
        let place = Place::read(given)?;
        let word = match &place {
            Place::Attribute(holder, _) => word_of(holder.bind(py), &value)?,
            Place::Global(..) => None,
        };
        // A builtin is what no name of the module hides.
        let is_absent = given.get_item(0)?.eq("absent")?;
        Ok(Guard { place, value: (!is_absent).then_some(value), word })
    }

    /// Whether the object is there.
    #[inline]
    pub fn holds(&self, py: Python<'_>) -> PyResult<bool> {
        if let (Some(word), Place::Attribute(holder, _)) = (self.word, &self.place) {
            // SAFETY: the holder is alive, and has so many words.
            let found = unsafe { holder.as_ptr().cast::<usize>().add(word).read() };
            return Ok(self.value.as_ref().is_some_and(|value| found == value.as_ptr().addr()));
        }
        Ok(match (self.place.find(py)?, &self.value) {
            (Some(found), Some(value)) => found.is(value),
            (found, value) => found.is_none() && value.is_none(),
        })
    }
}

/// Which word of a function or cell is the address of an object that it has, if one is.
fn word_of(holder: &Bound<'_, PyAny>, value: &Py<PyAny>) -> PyResult<Option<usize>> {
    let is_known = holder.is_instance_of::<PyFunction>() || holder.get_type().name()? == "cell";
    if !is_known {
        return Ok(None);
    }
    let size: usize = holder.get_type().getattr("__basicsize__")?.extract()?;
    let words = size / size_of::<usize>();
    // The first two are the count of references and the type.
    let mut found = (2..words).filter(|&word| {
        // SAFETY: an object has as many bytes as its type says.
        unsafe { holder.as_ptr().cast::<usize>().add(word).read() == value.as_ptr().addr() }
    });
    let first = found.next();
    Ok(first.filter(|_| found.next().is_none()))
}
