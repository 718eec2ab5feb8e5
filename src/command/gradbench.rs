//! `gradus gradbench`: a tool of GradBench (`docs/gradbench.md`). Messages come in on standard input, one JSON object a line, and
//! each is answered by a line with the same `id`.

mod program;

use super::{MathFlag, answer};
use clap::Args;
use gradus::{Error, Options};
use gradus_backend::output;
use program::{Evaluation, Program};
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use std::io::{BufRead, stderr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Args, Debug)]
pub struct Gradbench {
    /// The folder with a program for each module, NAME.py.
    #[arg(long, value_name = "DIR", default_value = "examples/gradbench")]
    programs: PathBuf,
    /// Which rewrites of arithmetic are allowed: those that keep the bits, or those over the reals too.
    #[arg(long, value_enum, default_value = "exact")]
    math: MathFlag,
}

/// Answers until the input ends.
pub fn gradbench(flags: &Gradbench) -> Result<(), Error> {
    // Standard output is for the answers.
    output::print_to(Some(Box::new(|text| answer::say(stderr(), text))));
    // A fault ends a message and not the session.
    std::panic::set_hook(Box::new(|panic| answer::say(stderr(), &format!("{panic}\n"))));
    let mut session = Session { flags, programs: HashMap::new() };
    let (mut input, mut line) = (std::io::stdin().lock(), Vec::new());
    loop {
        line.clear();
        match input.read_until(b'\n', &mut line) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(e) => return Err(Error::File { path: "standard input".into(), message: e.to_string() }),
        }
        answer::print(&session.answer(&line).to_string());
    }
}

/// What a message is answered, but for its `id`: the fields of an object, or why there are none.
type Answer = Result<Json, String>;

/// The modules that are defined.
struct Session<'a> {
    flags: &'a Gradbench,
    programs: HashMap<String, Program>,
}

impl Session<'_> {
    /// The answer of a line, whatever is in it.
    fn answer(&mut self, line: &[u8]) -> Json {
        let (id, answer) = match serde_json::from_slice::<Json>(line) {
            Ok(message) => (message["id"].clone(), self.guarded(&message)),
            Err(e) => (Json::Null, Err(format!("the line is not JSON: {e}"))),
        };
        let mut fields = Map::from_iter([("id".to_owned(), id)]);
        match answer {
            Ok(Json::Object(more)) => fields.extend(more),
            Ok(other) => unreachable!("{other} is no answer"),
            Err(error) => fields.extend([("success".into(), json!(false)), ("error".into(), json!(error))]),
        }
        Json::Object(fields)
    }

    /// The answer of a message, even if there is a fault of ours.
    fn guarded(&mut self, message: &Json) -> Answer {
        catch_unwind(AssertUnwindSafe(|| self.message(message))).unwrap_or_else(|_| Err("internal fault: a panic".into()))
    }

    fn message(&mut self, message: &Json) -> Answer {
        match text(message, "kind")? {
            "start" => Ok(json!({"tool": "gradus"})),
            "define" => self.define(text(message, "module")?),
            "evaluate" => self.evaluate(message),
            _ => Ok(json!({})),
        }
    }

    fn define(&mut self, module: &str) -> Answer {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if module.is_empty() || !module.chars().all(is_name) {
            return Err(format!("`{module}` is no name of a module"));
        }
        let options = Options { math: self.flags.math.into(), ..Options::default() };
        let start = Instant::now();
        let program = Program::load(&self.flags.programs.join(format!("{module}.py")), options)?;
        let compile = timing("compile", start.elapsed());
        self.programs.insert(module.to_owned(), program);
        Ok(json!({"success": true, "timings": [compile]}))
    }

    fn evaluate(&mut self, message: &Json) -> Answer {
        let (module, function) = (text(message, "module")?, text(message, "function")?);
        let input = message.get("input").ok_or("the message has no `input`")?;
        let program = self.programs.get(module).ok_or_else(|| format!("the module `{module}` is not defined"))?;
        let Evaluation { output, runs } = program.evaluate(function, input)?;
        let timings: Vec<Json> = runs.into_iter().map(|time| timing("evaluate", time)).collect();
        Ok(json!({"success": true, "output": output, "timings": timings}))
    }
}

fn timing(name: &str, time: Duration) -> Json {
    json!({"name": name, "nanoseconds": u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)})
}

/// A field of a message that is a string.
fn text<'m>(message: &'m Json, field: &str) -> Result<&'m str, String> {
    message.get(field).and_then(Json::as_str).ok_or_else(|| format!("the message has no `{field}` that is a string"))
}
