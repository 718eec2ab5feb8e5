//! Studies of live functions and of files.

use crate::program::Program;
use crate::{errors, printing};
use gradus::compare::{Clock, Effort};
use gradus::study::{Asked, Axes, Event, Failure, Output, Point, Scope, Subject};
use gradus::{Error, study};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

/// A program at its arguments and at the values of sweeps: the name and the value of the argument that is swept, the program, its
/// arguments, and how tables write the call.
type Points<'py> = Vec<(Option<(String, f64)>, Bound<'py, Program>, Bound<'py, PyTuple>, String)>;

/// Programs to measure.
#[pyclass(frozen, module = "gradus._native")]
pub struct Study(study::Study);

/// What a study found.
#[pyclass(frozen, module = "gradus._native")]
pub struct Report(study::Outcome);

#[pymethods]
impl Study {
    /// Reads the file of a study.
    #[staticmethod]
    fn read(py: Python<'_>, path: PathBuf, quick: bool, only: Option<String>, seconds: Option<f64>) -> PyResult<Study> {
        let read = py.detach(|| study::Study::read(&path, &Scope { quick, only, seconds }));
        read.map(Study).map_err(|e| refused(py, e))
    }

    /// A study of live functions: of each its name, kind, function, axes as lines of TOML, arguments to differentiate in, and points.
    #[staticmethod]
    fn of(
        py: Python<'_>,
        title: &str,
        subjects: Vec<(String, String, String, String, Vec<usize>, Points<'_>)>,
        seconds: f64,
        clock: &str,
    ) -> PyResult<Study> {
        let clock = match clock {
            "cpu" => Clock::Cpu,
            "wall" => Clock::Wall,
            other => return Err(PyValueError::new_err(format!("`clock` is \"cpu\" or \"wall\", not {other:?}"))),
        };
        let subject = |(name, kind, function, axes, wrt, points): (String, _, _, String, _, Points<'_>)| {
            let axes = Axes::read(&axes).map_err(|e| refused(py, e))?;
            let (file, text) = (format!("{name}.py"), points.first().map(|(_, p, ..)| p.get().text().to_owned()));
            let points = points.into_iter().map(|(at, program, args, call)| {
                let point = at.map(|(argument, value)| Point { argument, value });
                Ok((point, asked(py, program.get(), &args, call)?))
            });
            let (points, text) = (points.collect::<PyResult<_>>()?, text.unwrap_or_default());
            Ok(Subject { name, kind, file, text, function, wrt: Some(wrt), axes, points })
        };
        let subjects = subjects.into_iter().map(subject).collect::<PyResult<Vec<_>>>()?;
        let study = study::Study::of(title, subjects, Effort { seconds, clock });
        study.map(Study).map_err(|e| refused(py, (e, None)))
    }

    /// How many cases it has.
    fn cases(&self) -> usize {
        self.0.cases()
    }

    /// Measures; `watch` is called with the name of each case that begins, and between cases Ctrl-C ends it.
    #[pyo3(signature = (folder, fresh, against, peers, watch))]
    fn run(
        &self,
        py: Python<'_>,
        folder: Option<PathBuf>,
        fresh: bool,
        against: Option<PathBuf>,
        peers: bool,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<Report> {
        let output = Output { folder, fresh, against, peers, flags: Vec::new() };
        let mut ended: Option<PyErr> = None;
        printing::silence();
        let done = py.detach(|| {
            let mut hear = |event: Event<'_>| {
                let heard = Python::attach(|py| {
                    py.check_signals()?;
                    match (&watch, event) {
                        (Some(watch), Event::Begins(name)) => watch.call1(py, (name,)).map(drop),
                        _ => Ok(()),
                    }
                });
                heard.map_err(|e| {
                    ended = Some(e);
                    Error::Unavailable("the study was ended".into())
                })
            };
            errors::guarded(|| self.0.run(&output, &mut hear))
        });
        match ended {
            Some(e) => Err(e),
            None => done.map(Report).map_err(|e| refused(py, (e, None))),
        }
    }
}

fn asked(py: Python<'_>, program: &Program, args: &Bound<'_, PyTuple>, call: String) -> PyResult<Asked> {
    let values = program.values(args)?;
    let function = program.function();
    let code = || {
        let values = function.arguments(values)?;
        Asked::new(&function.for_arguments(&values), values, call)
    };
    py.detach(|| errors::guarded(code)).map_err(|e| program.raised(py, &e))
}

/// The exception for what is wrong with a study, which has its place in a text of its own.
fn refused(py: Python<'_>, (error, source): Failure) -> PyErr {
    errors::raised(py, &error, &source.unwrap_or_default(), None)
}

#[pymethods]
impl Report {
    /// The rows of `study.csv`, each a dict.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let row = |cells: Vec<Json>| {
            let dict = PyDict::new(py);
            for (name, cell) in self.0.columns().zip(&cells) {
                dict.set_item(name, scalar(py, cell)?)?;
            }
            Ok(dict)
        };
        self.0.rows().into_iter().map(row).collect()
    }

    /// The findings: name, sentence, and table.
    fn findings(&self) -> Vec<(String, String, Vec<Vec<String>>)> {
        self.0.findings().iter().map(|f| (f.name.clone(), f.text.clone(), f.table.clone())).collect()
    }

    /// The sentences of the findings, and of what changed since an earlier run.
    fn sentences(&self) -> Vec<String> {
        self.0.sentences()
    }

    /// The plots: name, and text of an SVG file.
    fn plots(&self) -> Vec<(String, String)> {
        self.0.plots().iter().map(|plot| (plot.name.clone(), plot.svg.clone())).collect()
    }

    /// The report as a page for a browser.
    fn html(&self) -> String {
        self.0.html()
    }

    /// Writes the files of a study into a folder.
    fn write(&self, py: Python<'_>, folder: PathBuf) -> PyResult<()> {
        self.0.write(Path::new(&folder)).map_err(|e| refused(py, (e, None)))
    }
}

/// A cell of a table.
fn scalar<'py>(py: Python<'py>, cell: &Json) -> PyResult<Bound<'py, PyAny>> {
    match cell {
        Json::String(text) => text.into_bound_py_any(py),
        Json::Bool(v) => v.into_bound_py_any(py),
        Json::Number(v) => match v.as_i64() {
            Some(v) => v.into_bound_py_any(py),
            None => v.as_f64().into_bound_py_any(py),
        },
        _ => Ok(py.None().into_bound(py)),
    }
}
