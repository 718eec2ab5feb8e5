//! The object that users call: it finds the code that was prepared for arguments like these.

use crate::place::{Guard, Place};
use crate::prepared::Prepared;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};
use std::sync::{Arc, OnceLock, RwLock};

/// How many kinds of calls are looked through before Python is asked.
const KNOWN: usize = 8;

/// The objects that arguments must be which are parts of the program, by place and by name.
type Arguments = (Vec<Option<Py<PyAny>>>, Vec<(Py<PyString>, Option<Py<PyAny>>)>);

/// A kind of calls, and what was prepared for them.
struct Known {
    /// For each argument by place the object that it must be, if it is a part of the program.
    by_place: Vec<Option<Py<PyAny>>>,
    /// The same for those by name.
    by_name: Vec<(Py<PyString>, Option<Py<PyAny>>)>,
    /// What must be the same as it was.
    guards: Vec<Guard>,
    /// What says whether objects that may change are the same, if there are some.
    check: Option<Py<PyAny>>,
    /// The arrays that are given beside the arguments.
    given: Vec<Place>,
    prepared: Py<Prepared>,
    /// Whether the arguments are passed as they are given.
    is_plain: bool,
}

impl Known {
    /// The answer to a call, if it is of this kind.
    fn call<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let prepared = self.prepared.get();
        if self.is_plain && kwargs.is_none() {
            return if self.holds(py)? { prepared.call(py, args.iter()) } else { Ok(None) };
        }
        match self.arguments(py, args, kwargs)? {
            Some(all) => prepared.call(py, all.into_iter()),
            None => Ok(None),
        }
    }

    /// Whether all that must be the same is.
    fn holds(&self, py: Python<'_>) -> PyResult<bool> {
        for guard in &self.guards {
            if !guard.holds(py)? {
                return Ok(false);
            }
        }
        self.check.as_ref().map_or(Ok(true), |check| check.call0(py)?.is_truthy(py))
    }

    /// The arguments of `main` for a call of this kind.
    fn arguments<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<SmallVec<[Bound<'py, PyAny>; 8]>>> {
        if args.len() != self.by_place.len() || kwargs.map_or(0, |kwargs| kwargs.len()) != self.by_name.len() {
            return Ok(None);
        }
        if !self.holds(py)? {
            return Ok(None);
        }
        let mut all: SmallVec<[Bound<'py, PyAny>; 8]> = SmallVec::new();
        let mut push = |fixed: &Option<Py<PyAny>>, arg: Bound<'py, PyAny>| match fixed {
            Some(fixed) => arg.is(fixed),
            None => {
                all.push(arg);
                true
            }
        };
        for (fixed, arg) in self.by_place.iter().zip(args.iter()) {
            if !push(fixed, arg) {
                return Ok(None);
            }
        }
        for (name, fixed) in &self.by_name {
            let Some(arg) = kwargs.and_then(|kwargs| kwargs.get_item(name).transpose()).transpose()? else { return Ok(None) };
            if !push(fixed, arg) {
                return Ok(None);
            }
        }
        for place in &self.given {
            let Some(array) = place.find(py)? else { return Ok(None) };
            all.push(array);
        }
        Ok(Some(all))
    }
}

/// How many contexts are open in which other choices hold: what is known is not asked for there.
static OTHERWISE: AtomicIsize = AtomicIsize::new(0);

/// Opens such a context, or closes it.
#[pyfunction]
pub fn bypass(more: isize) {
    OTHERWISE.fetch_add(more, Ordering::Relaxed);
}

/// A function that is compiled for the arguments that it is called with. The package derives its functions from it, whose `_call` does
/// what is not known yet.
#[pyclass(frozen, subclass, weakref, dict, module = "gradus._native")]
pub struct Callable {
    /// The first kind of calls, which is all there is of most functions; it costs no lock.
    first: OnceLock<Known>,
    /// Whether that is forgotten.
    is_stale: AtomicBool,
    others: RwLock<Vec<Arc<Known>>>,
}

#[pymethods]
impl Callable {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Callable {
        Callable { first: OnceLock::new(), is_stale: AtomicBool::new(false), others: RwLock::default() }
    }

    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Callable>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        if OTHERWISE.load(Ordering::Relaxed) == 0 {
            let first = this.first.get().filter(|_| !this.is_stale.load(Ordering::Relaxed));
            if let Some(result) = first.map_or(Ok(None), |known| known.call(py, args, kwargs))? {
                return Ok(result);
            }
            for i in 0..KNOWN {
                let known = this.others.read().unwrap_or_else(|e| e.into_inner()).get(i).cloned();
                let Some(known) = known else { break };
                if let Some(result) = known.call(py, args, kwargs)? {
                    return Ok(result);
                }
            }
        }
        slf.call_method1(pyo3::intern!(py, "_call"), (args, kwargs))
    }

    /// Notes what was prepared for a kind of calls.
    #[pyo3(signature = (arguments, guards, check, given, prepared))]
    fn _remember(
        &self,
        py: Python<'_>,
        arguments: Arguments,
        guards: Vec<(Bound<'_, PyTuple>, Py<PyAny>)>,
        check: Option<Py<PyAny>>,
        given: Vec<Bound<'_, PyTuple>>,
        prepared: Py<Prepared>,
    ) -> PyResult<()> {
        let (by_place, by_name) = arguments;
        let guards = guards.into_iter().map(|(place, value)| Guard::new(py, &place, value)).collect::<PyResult<_>>()?;
        let given = given.iter().map(Place::read).collect::<PyResult<Vec<_>>>()?;
        let is_plain = by_name.is_empty() && given.is_empty() && by_place.iter().all(Option::is_none);
        let known = Known { by_place, by_name, guards, check, given, prepared, is_plain };
        let Err(known) = self.first.set(known) else { return Ok(()) };
        let mut all = self.others.write().unwrap_or_else(|e| e.into_inner());
        all.insert(0, Arc::new(known));
        all.truncate(KNOWN);
        Ok(())
    }

    /// Forgets all of it.
    fn _forget(&self) {
        self.is_stale.store(true, Ordering::Relaxed);
        self.others.write().unwrap_or_else(|e| e.into_inner()).clear();
    }
}
