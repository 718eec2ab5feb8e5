//! A captured program: its text, and what of it is live.

use crate::classes::Classes;
use crate::prepared::Prepared;
use crate::{errors, export, options, values};
use gradus::compare::{Comparer, Effort, Way};
use gradus::xla::{Room, Sharding};
use gradus::{Backend, Engine, Error, Function, Options, Request, Section, Simplify, Source, Strategy, Type, Value};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// What of a result is a derivative, in which zeros have no sign: the neutral element of sums is -0.0, which nobody asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Derivative {
    /// Nothing.
    None,
    /// All of it.
    All,
    /// The second of a pair.
    Second,
}

/// What everything that is made of a program shares.
#[derive(Debug)]
pub struct Shared {
    /// The program.
    pub program: gradus::Program,
    /// The function that the program is about.
    pub function: Function,
    /// The live classes of records.
    pub classes: Classes,
    /// All live classes by their names in the text.
    pub live: Py<PyDict>,
    /// What of results is a derivative.
    pub derivative: Derivative,
}

impl Shared {
    /// The exception for a failure.
    pub fn raised(&self, py: Python<'_>, error: &Error) -> PyErr {
        errors::raised(py, error, self.program.source(), Some(self.live.bind(py)))
    }
}

/// A program whose entry is `main`.
#[pyclass(frozen, module = "gradus._native")]
pub struct Program {
    shared: Arc<Shared>,
}

#[pymethods]
impl Program {
    /// Parses a text and lowers its `main`. `sections` say from which files parts of it are: where each begins, its file, and its
    /// first line there. Functions may read the parameters `given` of `main` as globals. `classes` are live, by their names in the text.
    #[new]
    #[pyo3(signature = (text, sections, given, classes, options, derivative))]
    fn new(
        py: Python<'_>,
        text: String,
        sections: Vec<(u32, String, u32)>,
        given: Vec<String>,
        classes: &Bound<'_, PyDict>,
        options: &Bound<'_, PyDict>,
        derivative: &str,
    ) -> PyResult<Program> {
        let engine = Engine::new(options::read(options)?);
        let sections: Vec<Section> = sections.into_iter().map(|(start, name, line)| Section { start, name, line }).collect();
        let unread = gradus::raw::Source { name: "<gradus>".into(), text: text.as_str().into(), sections: sections.clone() };
        let source = Source::new("<gradus>", text).with_sections(sections).with_given(given);
        let program = py.detach(|| errors::guarded(|| engine.parse(source)));
        let program = program.map_err(|e| errors::raised(py, &e, &unread, Some(classes)))?;
        let function = py.detach(|| errors::guarded(|| program.function("main")));
        let function = function.map_err(|e| errors::raised(py, &e, program.source(), Some(classes)))?;
        let schemas = function.source().classes.iter().map(|class| class.schema.clone());
        let live = classes.clone().unbind();
        let classes = Classes::new(classes, schemas)?;
        let derivative = match derivative {
            "all" => Derivative::All,
            "second" => Derivative::Second,
            _ => Derivative::None,
        };
        Ok(Program { shared: Arc::new(Shared { program, function, classes, live, derivative }) })
    }

    /// Compiles `main` for arguments like these; also says whether the code is for these very ints, since shapes depend on them.
    fn prepare(&self, py: Python<'_>, args: &Bound<'_, PyTuple>) -> PyResult<(Prepared, bool)> {
        let prepared =
            self.compiled(py, args, false, |function, args| function.prepare(&function.types(args), &Request::Value))?;
        let is_constant = prepared.1.is_some();
        Ok((Prepared::new(py, prepared, self.shared.clone()), is_constant))
    }

    /// The same for calls that leave the pullback for the arguments with these numbers.
    fn prepare_vjp(&self, py: Python<'_>, args: &Bound<'_, PyTuple>, wrt: Vec<usize>) -> PyResult<(Prepared, bool)> {
        let prepared =
            self.compiled(py, args, false, |function, args| function.prepare_vjp(&function.types(args), wrt.clone()))?;
        let is_constant = prepared.1.is_some();
        Ok((Prepared::new(py, prepared, self.shared.clone()), is_constant))
    }

    /// `main` for arguments like these in StableHLO, as a dict; tapes have room for `trips` records, and lists of numbers for so many
    /// `elements`, where the program does not say it.
    fn export<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'_, PyTuple>,
        trips: usize,
        elements: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let room = Room { trips, elements };
        let has_text = self.values(args)?.iter().any(export::has_text);
        let write = |function: &Function, args: &[Value]| {
            // No native code is made: XLA makes its own.
            let function = function.with(Options { backend: Backend::Interp, ..function.options().clone() });
            let prepared = function.prepare(&function.types(args), &Request::Value)?;
            let program = prepared.compiled().stablehlo(&Sharding::default(), room)?;
            Ok((prepared, program))
        };
        let ((prepared, program), known) = self.compiled(py, args, has_text, write)?;
        let boundary = prepared.boundary();
        let params: Vec<Type> = boundary.params.iter().map(|form| boundary.type_of(form)).collect();
        let result = boundary.result.as_ref().map_or(Type::None, |form| boundary.type_of(form));
        let line = |span| self.shared.program.source().position(span).map(|(_, line, _)| line);
        export::described(py, &program, (&params, &result), known.as_deref(), line)
    }

    /// What the gradient in the arguments with these numbers costs by several ways: one dict for the function itself, and one for each.
    fn compare<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'_, PyTuple>,
        wrt: Vec<usize>,
        seconds: f64,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let args = self.values(args)?;
        let reverse = [Strategy::Closure, Strategy::Stack].map(|s| {
            let options = self.shared.function.options().clone().strategy(s).simplify(Simplify::Interleaved);
            Way::gradient(wrt.clone(), options)
        });
        let forward = Way { request: Request::Forward(wrt.clone(), None), ..reverse[0].clone() };
        let ways = [&reverse[..], &[forward]].concat();
        let code = || {
            let args = self.shared.function.arguments(args)?;
            let comparer = Comparer::new(&self.shared.function, &self.shared.function.types(&args), &ways)?;
            let comparison = comparer.compare(&args, &Effort { seconds, ..Effort::default() })?;
            Ok((comparer, comparison))
        };
        let done = py.detach(|| errors::guarded(code));
        let (comparer, comparison) = done.map_err(|e| self.shared.raised(py, &e))?;
        let value = ("value".to_owned(), comparer.value(), Ok(&comparison.value), None);
        let rows = comparer.ways().iter().zip(&comparison.rows);
        let rows = rows.map(|((way, code), row)| (way.strategy(), &**code, row.run.as_ref(), row.difference));
        [value]
            .into_iter()
            .chain(rows)
            .map(|(name, code, run, difference)| {
                let dict = PyDict::new(py);
                dict.set_item("way", name)?;
                let run = match run {
                    Ok(run) => run,
                    Err(e) => {
                        dict.set_item("error", e.to_string())?;
                        return Ok(dict);
                    }
                };
                dict.set_item("seconds", run.seconds)?;
                dict.set_item("ratio", gradus::compare::ratio(&run.times, &comparison.value.times).value)?;
                dict.set_item("bytes_kept", run.memory())?;
                dict.set_item("records", run.usage.records)?;
                dict.set_item("objects", run.usage.objects)?;
                dict.set_item("nodes", code.report().nodes.1)?;
                dict.set_item("code_bytes", code.native().map(|code| code.stats().code_bytes))?;
                dict.set_item("compile_seconds", code.report().seconds().iter().map(|(_, s)| s).sum::<f64>())?;
                dict.set_item("difference", difference)?;
                Ok(dict)
            })
            .collect()
    }

    /// The text.
    #[getter]
    pub fn text(&self) -> &str {
        &self.shared.program.source().text
    }

    /// The names of the classes, each with its fields.
    #[getter]
    fn classes(&self) -> Vec<(String, Vec<String>)> {
        let classes = self.shared.function.source().classes.iter();
        classes.map(|c| (c.schema.name().to_owned(), c.schema.fields.iter().map(|f| f.to_string()).collect())).collect()
    }
}

impl Program {
    /// Its function.
    pub fn function(&self) -> &Function {
        &self.shared.function
    }

    /// The values of arguments.
    pub fn values(&self, args: &Bound<'_, PyTuple>) -> PyResult<Vec<Value>> {
        args.iter().map(|arg| values::value(&arg, &self.shared.classes)).collect()
    }

    /// The exception for a failure.
    pub fn raised(&self, py: Python<'_>, error: &Error) -> PyErr {
        self.shared.raised(py, error)
    }

    /// What is made of the function for arguments like these. It is for these very ints, booleans and strings if it has to be, or
    /// `is_constant` says so: then they are given, too.
    fn compiled<T: Send>(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        is_constant: bool,
        make: impl Fn(&Function, &[Value]) -> Result<T, Error> + Sync,
    ) -> PyResult<(T, Option<Vec<Value>>)> {
        let args = self.values(args)?;
        let code = || {
            let args = self.shared.function.arguments(args)?;
            let found = if is_constant { None } else { Some(make(&self.shared.function, &args)) };
            match found {
                // With constants the complaint is about what is wrong all the same.
                None | Some(Err(Error::Refused(_))) => Ok((make(&self.shared.function.for_arguments(&args), &args)?, Some(args))),
                Some(done) => Ok((done?, None)),
            }
        };
        let done = py.detach(|| errors::guarded(code));
        done.map_err(|e| self.shared.raised(py, &e))
    }
}
