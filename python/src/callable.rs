//! What users call: it finds what was prepared for arguments like these.

use crate::prepared::Prepared;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use smallvec::SmallVec;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Arc, RwLock};

/// How many kinds of calls are looked through before Python is asked.
const KNOWN: usize = 8;

/// Where a live object is found at each call.
enum Place {
    /// Under a name of a module.
    Global(Py<PyDict>, Py<PyString>),
    /// In a cell of a closure, or under the name of an object.
    Attribute(Py<PyAny>, Py<PyString>),
    /// There it is.
    Here(Py<PyAny>),
}

impl Place {
    fn read(given: &Bound<'_, PyTuple>) -> PyResult<Place> {
        let (kind, holder, name): (String, Bound<'_, PyAny>, Bound<'_, PyAny>) = given.extract()?;
        Ok(match &*kind {
            "dict" => Place::Global(holder.cast_into::<PyDict>()?.unbind(), name.cast_into::<PyString>()?.unbind()),
            "object" => Place::Here(holder.unbind()),
            _ => Place::Attribute(holder.unbind(), name.cast_into::<PyString>()?.unbind()),
        })
    }

    /// The object; none if it is not there any more.
    fn find<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self {
            Place::Global(dict, name) => dict.bind(py).get_item(name),
            Place::Attribute(holder, name) => Ok(holder.bind(py).getattr(name).ok()),
            Place::Here(object) => Ok(Some(object.bind(py).clone())),
        }
    }
}

/// An argument that must be this object, for it is a part of the program; or this number, for the code is for it, and takes it.
#[derive(FromPyObject)]
struct Fixed(Py<PyAny>, bool);

impl Fixed {
    fn is(&self, arg: &Bound<'_, PyAny>) -> PyResult<bool> {
        let own = self.0.bind(arg.py());
        Ok(arg.is(own) || self.1 && arg.get_type().is(own.get_type()) && arg.eq(own)?)
    }
}

/// A kind of calls, and what was prepared for them.
struct Known {
    /// For each argument by place what it must be, if that matters.
    by_place: Vec<Option<Fixed>>,
    /// The same for those by name.
    by_name: Vec<(Py<PyString>, Option<Fixed>)>,
    /// What must be the same as it was.
    guards: Vec<(Place, Py<PyAny>)>,
    /// What says whether objects that may change are the same, if there are some.
    check: Option<Py<PyAny>>,
    /// The arrays that are given beside the arguments.
    given: Vec<Place>,
    prepared: Py<Prepared>,
}

impl Known {
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
        for (place, value) in &self.guards {
            if !place.find(py)?.is_some_and(|found| found.is(value)) {
                return Ok(None);
            }
        }
        if let Some(check) = &self.check
            && !check.call0(py)?.is_truthy(py)?
        {
            return Ok(None);
        }
        let mut all: SmallVec<[Bound<'py, PyAny>; 8]> = SmallVec::new();
        let mut push = |fixed: &Option<Fixed>, arg: Bound<'py, PyAny>| -> PyResult<bool> {
            let is_passed = fixed.as_ref().is_none_or(|fixed| fixed.1);
            let fits = fixed.as_ref().map_or(Ok(true), |fixed| fixed.is(&arg))?;
            if fits && is_passed {
                all.push(arg);
            }
            Ok(fits)
        };
        for (fixed, arg) in self.by_place.iter().zip(args.iter()) {
            if !push(fixed, arg)? {
                return Ok(None);
            }
        }
        for (name, fixed) in &self.by_name {
            let Some(arg) = kwargs.and_then(|kwargs| kwargs.get_item(name).transpose()).transpose()? else { return Ok(None) };
            if !push(fixed, arg)? {
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
    known: RwLock<Vec<Arc<Known>>>,
}

#[pymethods]
impl Callable {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Callable {
        Callable { known: RwLock::default() }
    }

    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Callable>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let known = if OTHERWISE.load(Ordering::Relaxed) == 0 { KNOWN } else { 0 };
        for i in 0..known {
            let known = slf.get().known.read().unwrap_or_else(|e| e.into_inner()).get(i).cloned();
            let Some(known) = known else { break };
            if let Some(all) = known.arguments(py, args, kwargs)?
                && let Some(result) = known.prepared.get().call(py, all.into_iter())?
            {
                return Ok(result);
            }
        }
        slf.call_method1(pyo3::intern!(py, "_call"), (args, kwargs))
    }

    /// Notes what was prepared for a kind of calls.
    #[pyo3(signature = (by_place, by_name, guards, check, given, prepared))]
    fn _remember(
        &self,
        by_place: Vec<Option<Fixed>>,
        by_name: Vec<(Py<PyString>, Option<Fixed>)>,
        guards: Vec<(Bound<'_, PyTuple>, Py<PyAny>)>,
        check: Option<Py<PyAny>>,
        given: Vec<Bound<'_, PyTuple>>,
        prepared: Py<Prepared>,
    ) -> PyResult<()> {
        let guards = guards.into_iter().map(|(place, value)| Ok((Place::read(&place)?, value))).collect::<PyResult<_>>()?;
        let given = given.iter().map(Place::read).collect::<PyResult<_>>()?;
        let known = Known { by_place, by_name, guards, check, given, prepared };
        let mut all = self.known.write().unwrap_or_else(|e| e.into_inner());
        all.insert(0, Arc::new(known));
        all.truncate(KNOWN);
        Ok(())
    }

    /// Forgets all of it.
    fn _forget(&self) {
        self.known.write().unwrap_or_else(|e| e.into_inner()).clear();
    }
}
