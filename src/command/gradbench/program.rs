//! A program that defines a module of GradBench, and evaluations of its functions.
//!
//! A function is given the fields of the input that have the names of its parameters. A function of one parameter whose name no field
//! has is given the input itself, be it an object or not. Two more functions may stand beside it, whose time does not count: `prepare`
//! makes another input of the input, and `NAME_output` makes of what `NAME` answers what is shown.

use gradus::{Compiled, Engine, Error, Options, Request, Value, json};
use serde_json::Value as Json;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A program.
pub struct Program {
    program: gradus::Program,
    /// Its functions.
    names: Vec<String>,
}

/// An evaluation.
pub struct Evaluation {
    /// What the function answers.
    pub output: Json,
    /// The time of each run.
    pub runs: Vec<Duration>,
}

/// How often an evaluation is run: until there are so many runs, and they have taken so long.
struct Effort {
    runs: u64,
    time: Duration,
}

impl Effort {
    fn read(input: &Json) -> Result<Effort, String> {
        let runs = match input.get("min_runs") {
            None => 1,
            Some(j) => j.as_u64().ok_or("`min_runs` is no number of runs")?,
        };
        let time = match input.get("min_seconds") {
            None => Duration::ZERO,
            Some(j) => {
                j.as_f64().and_then(|s| Duration::try_from_secs_f64(s).ok()).ok_or("`min_seconds` is no number of seconds")?
            }
        };
        Ok(Effort { runs: runs.max(1), time })
    }

    /// Runs and takes the times.
    fn run<E>(&self, mut run: impl FnMut() -> Result<(), E>) -> Result<Vec<Duration>, E> {
        let (mut times, mut total) = (Vec::new(), Duration::ZERO);
        while (times.len() as u64) < self.runs || total < self.time {
            let start = Instant::now();
            run()?;
            let time = start.elapsed();
            times.push(time);
            total += time;
        }
        Ok(times)
    }
}

impl Program {
    /// Reads a file, and lowers its functions: what can be done before their arguments are known.
    pub fn load(path: &Path, options: Options) -> Result<Program, String> {
        let program = Engine::new(options).load(path).map_err(|e| e.to_string())?;
        let names: Vec<String> = program.functions().into_iter().map(str::to_owned).collect();
        for name in &names {
            program.function(name).map_err(|e| e.render(Some(program.source())))?;
        }
        Ok(Program { program, names })
    }

    /// Evaluates a function.
    pub fn evaluate(&self, name: &str, input: &Json) -> Result<Evaluation, String> {
        let effort = Effort::read(input)?;
        if !self.has(name) {
            return Err(format!("the module has no function `{name}`"));
        }
        self.evaluate_as(name, input, &effort).map_err(|e| e.render(Some(self.program.source())))
    }

    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }

    fn evaluate_as(&self, name: &str, input: &Json, effort: &Effort) -> Result<Evaluation, Error> {
        let read = |j: &Json| json::read(j).map_err(Error::Arguments);
        let arguments = |name: &str| self.arguments(name, |field| input.get(field).map(read).transpose(), || read(input));
        let args = if self.has("prepare") {
            let prepared = self.call("prepare", &arguments("prepare")?)?;
            let field = |field: &str| match &prepared {
                Value::Record(schema, items) => schema.position(field).map(|i| items[i].clone()),
                _ => None,
            };
            self.arguments(name, |name| Ok(field(name)), || Ok(prepared.clone()))?
        } else {
            arguments(name)?
        };
        let compiled = self.compile(name, &args)?;
        let mut value = compiled.run(&args)?;
        let code = compiled.native().ok_or_else(|| Error::Unavailable("GradBench times native code".into()))?;
        let runs = effort.run(code.prepare(&args)?)?;
        let shown = format!("{name}_output");
        if self.has(&shown) {
            value = self.call(&shown, &[value])?;
        }
        Ok(Evaluation { output: json::write(&value), runs })
    }

    /// The fields of an input that have the names of a function's parameters, or the input itself.
    fn arguments(
        &self,
        name: &str,
        field: impl Fn(&str) -> Result<Option<Value>, Error>,
        input: impl Fn() -> Result<Value, Error>,
    ) -> Result<Vec<Value>, Error> {
        let function = self.program.function(name)?;
        let parameters = function.parameters();
        let named = |name: &str| match field(name)? {
            Some(value) => Ok(value),
            None if parameters.len() == 1 => input(),
            None => Err(Error::Arguments(format!("the input has no field `{name}`"))),
        };
        function.arguments(parameters.iter().map(|name| named(name)).collect::<Result<_, _>>()?)
    }

    fn compile(&self, name: &str, args: &[Value]) -> Result<Arc<Compiled>, Error> {
        let function = self.program.function(name)?.for_arguments(args);
        function.compile(&function.types(args), &Request::Value)
    }

    fn call(&self, name: &str, args: &[Value]) -> Result<Value, Error> {
        self.compile(name, args)?.run(args)
    }
}
