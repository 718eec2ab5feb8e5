//! The choices of the compiler by their names in Python.

use gradus::{Backend, Closures, Math, Options, Plan, Simplify, Strategy};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// One of several choices by its name.
fn one_of<T: Copy>(option: &str, given: &str, known: &[(&str, T)]) -> PyResult<T> {
    known.iter().find_map(|(name, value)| (*name == given).then_some(*value)).ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        PyValueError::new_err(format!("the option `{option}` is one of {}, not {given:?}", names.join(", ")))
    })
}

const STRATEGIES: [(&str, Strategy); 3] = [("auto", Strategy::Auto), ("closure", Strategy::Closure), ("stack", Strategy::Stack)];

/// The options that a dict says, and the defaults of others.
pub fn read(dict: &Bound<'_, PyDict>) -> PyResult<Options> {
    let mut options = Options { interruptible: true, ..Options::default() };
    for (name, value) in dict.iter() {
        let name = name.cast_into::<PyString>()?;
        let name = name.to_cow()?;
        let text = || -> PyResult<String> { value.extract() };
        match &*name {
            "strategy" => {
                let orders = match value.extract::<Vec<String>>() {
                    Ok(orders) if !value.is_instance_of::<PyString>() => orders,
                    _ => vec![text()?],
                };
                let orders = orders.iter().map(|word| one_of(&name, word, &STRATEGIES)).collect::<PyResult<Vec<_>>>()?;
                options.plan = Plan { orders, ..Plan::default() };
            }
            "math" => options.math = one_of(&name, &text()?, &[("exact", Math::Exact), ("fast", Math::Fast)])?,
            "backend" => options.backend = one_of(&name, &text()?, &[("jit", Backend::Jit), ("interp", Backend::Interp)])?,
            "simplify" => {
                let known = [("interleaved", Simplify::Interleaved), ("end", Simplify::AtEnd), ("off", Simplify::Off)];
                options.simplify = one_of(&name, &text()?, &known)?;
            }
            "closures" => {
                let known = [("objects", Closures::Objects), ("tags", Closures::Tags), ("tapes", Closures::Tapes)];
                options.closures = one_of(&name, &text()?, &known)?;
            }
            "interrupt" => options.interruptible = value.extract()?,
            "recompute" => options.recompute = value.extract()?,
            other => {
                let known = "strategy, math, backend, simplify, closures, recompute and interrupt";
                return Err(PyValueError::new_err(format!("there is no option `{other}`; there are {known}")));
            }
        }
    }
    Ok(options)
}
