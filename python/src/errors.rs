//! Failures as exceptions of the package, with their places in the user's files.

use gradus::{Diagnostic, Error, Reason, Span};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The text that places are in.
type Text = gradus::raw::Source;

/// What some code gives; a panic in it is a fault of ours like any other.
pub fn guarded<T>(code: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(code)).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().cloned();
        let said = said.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(Error::Internal(said.unwrap_or_else(|| "a panic".into())))
    })
}

/// The exception that says why there is no answer; `source` is the program, and `classes` are the live ones by their names in it.
pub fn raised(py: Python<'_>, error: &Error, source: &Text, classes: Option<&Bound<'_, PyDict>>) -> PyErr {
    make(py, error, source, classes).unwrap_or_else(|e| e)
}

fn make(py: Python<'_>, error: &Error, source: &Text, classes: Option<&Bound<'_, PyDict>>) -> PyResult<PyErr> {
    let kind = match error {
        Error::Trap(trap) => format!("{:?}", trap.kind),
        Error::Failed { .. } => "Failed".into(),
        Error::Refused(list) if list.iter().all(|d| d.reason == Reason::Unsupported) => "Unsupported".into(),
        Error::Internal(_) => "Internal".into(),
        Error::Arguments(_) => "Arguments".into(),
        _ => "Refused".into(),
    };
    let diagnostics = PyList::empty(py);
    match error {
        Error::Refused(list) => list.iter().try_for_each(|d| diagnostics.append(described(py, d, source)?))?,
        Error::Trap(trap) => diagnostics.append(described(py, &Diagnostic::refused(trap.span, trap.to_string()), source)?)?,
        Error::Failed { message, span } => {
            diagnostics.append(described(py, &Diagnostic::refused(*span, message.clone()), source)?)?;
        }
        _ => {}
    }
    let rendered = error.render(Some(source));
    let errors = py.import("gradus._errors")?;
    let exception = errors.call_method1("made", (kind, error.to_string(), rendered, diagnostics, classes))?;
    Ok(PyErr::from_value(exception))
}

/// A diagnostic as data.
fn described<'py>(py: Python<'py>, d: &Diagnostic, source: &Text) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("message", &d.message)?;
    dict.set_item("hint", &d.hint)?;
    put_place(&dict, d.span, source)?;
    let labels = PyList::empty(py);
    for (span, text) in &d.labels {
        let label = PyDict::new(py);
        label.set_item("message", text)?;
        put_place(&label, *span, source)?;
        labels.append(label)?;
    }
    dict.set_item("labels", labels)?;
    Ok(dict)
}

/// The file, line and column of a place; lines and columns begin at 1.
fn put_place(dict: &Bound<'_, PyDict>, span: Span, source: &Text) -> PyResult<()> {
    let place = if span.is_some() { source.position(span) } else { None };
    dict.set_item("file", place.map(|(name, ..)| name))?;
    dict.set_item("line", place.map(|(_, line, _)| line))?;
    dict.set_item("column", place.map(|(_, _, column)| column))
}
