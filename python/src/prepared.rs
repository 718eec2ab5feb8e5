//! Programs compiled for arguments of some types, and calls of them.

use crate::arrays::Lent;
use crate::kind::{Found, Given, Kind};
use crate::program::{Derivative, Shared};
use crate::{errors, printing, signals, values};
use gradus::raw::{self, Boundary, Form, Storage};
use gradus::{Array, Error, Stage, Value};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smallvec::{SmallVec, smallvec};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::vec;

/// A call that takes longer gives the lock of the interpreter away.
const LONG: Duration = Duration::from_micros(10);

/// Every so many calls one is timed, and the first few are.
const TIMED: u32 = 64;

/// The kinds of arguments and of the result, where their sizes are known.
#[derive(Debug)]
struct Kinds {
    params: Vec<Kind>,
    result: Kind,
    is_scalar: bool,
    /// How many words the result has.
    words: usize,
}

/// A program compiled for arguments of some types.
#[pyclass(frozen, module = "gradus._native")]
pub struct Prepared {
    inner: gradus::Prepared,
    shared: Arc<Shared>,
    kinds: Option<Kinds>,
    calls: AtomicU32,
    is_long: AtomicBool,
}

impl Prepared {
    /// What Python calls; where the code is for the ints of some arguments alone, with these.
    pub fn new(py: Python<'_>, (inner, constants): (gradus::Prepared, Option<Vec<Value>>), shared: Arc<Shared>) -> Prepared {
        let boundary = inner.boundary();
        let kinds = inner.slots().and_then(|(_, results)| {
            let mut params = boundary.params.iter().map(|form| Kind::of(py, form)).collect::<Option<Vec<_>>>()?;
            if let Some(values) = &constants {
                params = params.into_iter().zip(values).map(|(kind, value)| kind.pinned(value)).collect();
            }
            let result = Kind::of(py, boundary.result.as_ref()?)?;
            let is_scalar = params.iter().chain([&result]).all(Kind::is_scalar);
            Some(Kinds { params, result, is_scalar, words: results.len() })
        });
        Prepared { inner, shared, kinds, calls: AtomicU32::new(0), is_long: AtomicBool::new(false) }
    }

    /// Runs code, without the lock of the interpreter if that takes long.
    fn run<T: Send>(&self, py: Python<'_>, code: impl FnOnce() -> Result<T, Error> + Send) -> PyResult<T> {
        // Calls by several threads may count as one.
        let call = self.calls.load(Ordering::Relaxed);
        self.calls.store(call.wrapping_add(1), Ordering::Relaxed);
        let start = (call.is_multiple_of(TIMED) || call < 4).then(Instant::now);
        printing::prepare();
        signals::prepare();
        let done = if call == 0 || self.is_long.load(Ordering::Relaxed) {
            py.detach(|| errors::guarded(code))
        } else {
            errors::guarded(code)
        };
        if let Some(start) = start {
            self.is_long.store(start.elapsed() > LONG, Ordering::Relaxed);
        }
        printing::flush(py)?;
        done.map_err(|e| signals::raised(py, &e).unwrap_or_else(|| self.shared.raised(py, &e)))
    }

    /// The words of arguments; none if they are not what it was compiled for.
    fn given<'py>(&self, kinds: &Kinds, args: impl Iterator<Item = Bound<'py, PyAny>>) -> PyResult<Option<Given>> {
        let (mut given, mut params) = (Given::default(), kinds.params.iter());
        for arg in args {
            let Some(kind) = params.next() else { return Ok(None) };
            if !kind.put(&arg, &self.shared.classes, false, &mut given)? {
                return Ok(None);
            }
        }
        Ok(params.next().is_none().then_some(given))
    }

    /// Calls it, if it was compiled for arguments like these.
    pub fn call<'py>(
        &self,
        py: Python<'py>,
        args: impl Iterator<Item = Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(kinds) = &self.kinds else { return Ok(None) };
        let Some(mut given) = self.given(kinds, args)? else { return Ok(None) };
        let mut results: SmallVec<[u64; 16]> = smallvec![0; kinds.words];
        let arrays = if kinds.is_scalar {
            self.run(py, || self.inner.call_scalars(&given.words, &mut results))?;
            Vec::new()
        } else {
            let (words, arrays, results) = (&mut given.words, given.arrays, &mut results);
            self.run(py, move || self.inner.call_lent(words, &arrays, results))?
        };
        let mut found = Found { words: results.iter(), arrays: arrays.into_iter(), derivative: false };
        let classes = &self.shared.classes;
        if let (Derivative::Second, Kind::Tuple(pair)) = (self.shared.derivative, &kinds.result)
            && let [value, derivative] = &pair[..]
        {
            let value = value.take(py, classes, &mut found)?;
            found.derivative = true;
            return Ok(Some(PyTuple::new(py, [value, derivative.take(py, classes, &mut found)?])?.into_any()));
        }
        found.derivative = self.shared.derivative == Derivative::All;
        kinds.result.take(py, classes, &mut found).map(Some)
    }

    fn values(&self, args: &Bound<'_, PyTuple>) -> PyResult<Vec<Value>> {
        args.iter().map(|arg| values::value(&arg, &self.shared.classes)).collect()
    }
}

#[pymethods]
impl Prepared {
    /// Calls it.
    #[pyo3(signature = (*args))]
    fn __call__<'py>(&self, py: Python<'py>, args: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(done) = self.call(py, args.iter())? {
            return Ok(done);
        }
        let args = self.values(args)?;
        let result = self.run(py, || self.inner.run(&args))?;
        values::to_python(py, &result, &self.shared.classes, self.shared.derivative == Derivative::All)
    }

    /// Calls what leaves its pullback: the value, and the pullback.
    #[pyo3(signature = (*args))]
    fn hold<'py>(&self, py: Python<'py>, args: &Bound<'py, PyTuple>) -> PyResult<(Bound<'py, PyAny>, Pullback)> {
        let unsized_data = || PyTypeError::new_err("a pullback is of functions whose arguments and results have known sizes");
        let kinds = self.kinds.as_ref().ok_or_else(unsized_data)?;
        let other = || PyTypeError::new_err("these are not the arguments that the function was compiled for");
        let mut given = self.given(kinds, args.iter())?.ok_or_else(other)?;
        let Kind::Tuple(pair) = &kinds.result else { return Err(unsized_data()) };
        let words = pair[0].words();
        let mut results: SmallVec<[u64; 16]> = smallvec![0; words];
        let arrays = given.arrays.into_iter().map(Lent::into_own).collect();
        let (sent, held) = (&mut given.words, &mut results);
        let (arrays, pullback) = self.run(py, move || self.inner.hold(sent, arrays, held))?;
        let mut found = Found { words: results.iter(), arrays: stored(arrays), derivative: false };
        let value = pair[0].take(py, &self.shared.classes, &mut found)?;
        let seed = self.inner.compiled().request().more_arguments().first().and_then(|ty| Kind::of_type(py, ty));
        let seed = seed.ok_or_else(unsized_data)?;
        let gradients = Kind::of(py, result_of(self.inner.boundary(), 1)).ok_or_else(unsized_data)?;
        Ok((value, Pullback { inner: Mutex::new(pullback), seed, gradients, shared: self.shared.clone() }))
    }

    /// The program at a stage: `typed`, `adjoint`, `optimised`, `lowered` or `machine`; as text, DOT or SVG.
    #[pyo3(signature = (stage, form = "text"))]
    fn stage(&self, py: Python<'_>, stage: &str, form: &str) -> PyResult<String> {
        let compiled = self.inner.compiled();
        let made = py.detach(|| -> Result<Option<String>, Error> {
            let stage = match stage {
                "typed" => Stage::Typed,
                "adjoint" => Stage::Adjoint,
                "optimised" | "optimized" => Stage::Optimised,
                "lowered" => Stage::Lowered,
                "machine" if form == "text" => return compiled.machine_code().map(Some),
                _ => return Ok(None),
            };
            let view = compiled.stage(stage)?;
            Ok(match form {
                "text" => Some(view.to_string()),
                "dot" => Some(view.to_dot()),
                "svg" => Some(view.to_svg()?),
                _ => None,
            })
        });
        let unknown = || PyValueError::new_err(format!("there is no stage {stage:?} as {form:?}"));
        made.map_err(|e| self.shared.raised(py, &e))?.ok_or_else(unknown)
    }

    /// All stages as a page for a browser.
    fn page(&self, py: Python<'_>, title: &str) -> PyResult<String> {
        let shared = &self.shared;
        let made = py.detach(|| gradus::page::of(title, &shared.program, &shared.function, self.inner.compiled()));
        made.map_err(|e| shared.raised(py, &e))
    }

    /// What the compiler did: seconds of each pass, numbers of nodes, strategies.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = self.inner.compiled().report();
        let dict = PyDict::new(py);
        dict.set_item("seconds", report.seconds())?;
        dict.set_item("nodes_typed", report.nodes.0)?;
        dict.set_item("nodes_lowered", report.nodes.1)?;
        dict.set_item("derivatives", report.expanded)?;
        dict.set_item("orders", report.orders)?;
        dict.set_item("strategies", report.strategies())?;
        dict.set_item("code_bytes", self.inner.compiled().native().map(|code| code.stats().code_bytes))?;
        Ok(dict)
    }

    /// The decisions of the compiler and what a run keeps, line by line.
    fn explain(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| gradus::explain::lines(self.inner.compiled(), self.shared.program.source()))
    }

    /// What tells it from what was compiled for other arguments.
    #[getter]
    fn key(&self) -> String {
        format!("{:?}", self.inner.parameters())
    }

    /// The types of the arguments, for people.
    #[getter]
    fn signature(&self) -> Vec<String> {
        self.inner.parameters().iter().map(|ty| ty.describe()).collect()
    }
}

/// Arrays as memory of their own.
fn stored(arrays: Vec<Array>) -> vec::IntoIter<Storage> {
    arrays.iter().map(Storage::import).collect::<Vec<_>>().into_iter()
}

fn result_of(boundary: &Boundary, i: usize) -> &Form {
    match &boundary.result {
        Some(Form::Tuple(pair)) => &pair[i],
        _ => unreachable!("a value stands beside its cotangents"),
    }
}

/// The pullback of a call, with the tapes that the call left.
#[pyclass(frozen, module = "gradus._native")]
pub struct Pullback {
    inner: Mutex<raw::Pullback>,
    seed: Kind,
    gradients: Kind,
    shared: Arc<Shared>,
}

#[pymethods]
impl Pullback {
    /// The cotangents of the arguments for a cotangent of the value.
    fn __call__<'py>(&self, py: Python<'py>, cotangent: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let mut given = Given::default();
        if !self.seed.put(cotangent, &self.shared.classes, true, &mut given)? {
            return Err(PyTypeError::new_err("the cotangent is not shaped like the value"));
        }
        let mut words = given.words;
        let arrays: Vec<Storage> = given.arrays.into_iter().map(Lent::into_own).collect();
        let mut results: SmallVec<[u64; 16]> = smallvec![0; self.gradients.words()];
        let found = &mut results;
        printing::prepare();
        let done = py.detach(move || -> Result<Vec<Array>, Error> {
            let mut pullback = self.inner.lock().unwrap_or_else(|e| e.into_inner());
            Ok(pullback.run(&mut words, &arrays, found)?)
        });
        printing::flush(py)?;
        let arrays = done.map_err(|e| self.shared.raised(py, &e))?;
        let mut found = Found { words: results.iter(), arrays: stored(arrays), derivative: true };
        self.gradients.take(py, &self.shared.classes, &mut found)
    }
}
