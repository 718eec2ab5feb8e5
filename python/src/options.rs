//! The choices of the compiler by their names in Python.

use gradus::xla::{Sharding, Xla};
use gradus::{Backend, Closures, Math, Options, Simplify, Strategy};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::path::PathBuf;

/// One of several choices by its name.
fn one_of<T: Copy>(option: &str, given: &str, known: &[(&str, T)]) -> PyResult<T> {
    known.iter().find_map(|(name, value)| (*name == given).then_some(*value)).ok_or_else(|| {
        let names: Vec<String> = known.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        PyValueError::new_err(format!("the option `{option}` is one of {}, not {given:?}", names.join(", ")))
    })
}

const BACKENDS: [(&str, Backend); 3] = [("jit", Backend::Jit), ("interp", Backend::Interp), ("xla", Backend::Xla)];
const STRATEGIES: [(&str, Strategy); 5] = [
    ("auto", Strategy::Auto),
    ("closure", Strategy::Closure),
    ("stack", Strategy::Stack),
    ("checkpoint", Strategy::Checkpoint),
    ("trace", Strategy::Trace),
];

/// The options that a dict says, and the defaults of others.
pub fn read(dict: &Bound<'_, PyDict>) -> PyResult<Options> {
    let mut options = Options { interruptible: true, ..Options::default() };
    let (mut plugin, mut mesh, mut shard) = (None, String::new(), String::new());
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
                options.plan.orders = orders;
            }
            "slots" => {
                let few = || PyValueError::new_err("the option `slots` is a number of states, at least 1");
                options.plan.slots = value.extract().ok().filter(|&slots| slots > 0).ok_or_else(few)?;
            }
            "math" => options.math = one_of(&name, &text()?, &[("exact", Math::Exact), ("fast", Math::Fast)])?,
            "backend" => options.backend = one_of(&name, &text()?, &BACKENDS)?,
            "simplify" => {
                let known = [("interleaved", Simplify::Interleaved), ("end", Simplify::AtEnd), ("off", Simplify::Off)];
                options.simplify = one_of(&name, &text()?, &known)?;
            }
            "closures" => {
                let known = [("objects", Closures::Objects), ("tags", Closures::Tags), ("tapes", Closures::Tapes)];
                options.closures = one_of(&name, &text()?, &known)?;
            }
            "interrupt" => options.interruptible = value.extract()?,
            "trap_nan" => options.trap_nan = value.extract()?,
            "recompute" => options.recompute = value.extract()?,
            "plugin" => plugin = Some(value.extract::<PathBuf>()?),
            "mesh" => mesh = text()?,
            "shard" => shard = text()?,
            other => {
                let known =
                    "strategy, slots, math, backend, simplify, closures, recompute, trap_nan, interrupt, plugin, mesh and shard";
                return Err(PyValueError::new_err(format!("there is no option `{other}`; there are {known}")));
            }
        }
    }
    if options.backend == Backend::Xla {
        let none = || PyValueError::new_err("the option `backend` is \"xla\", and no option `plugin` says which plugin of XLA");
        let refused = |e: gradus::Error| PyValueError::new_err(e.to_string());
        options.sharding = Sharding::parse(&mesh, &shard).map_err(refused)?;
        options.xla = Some(Xla::with_devices(plugin.ok_or_else(none)?, options.sharding.devices()).map_err(refused)?);
    }
    Ok(options)
}
