//! Answers and failures, as text and as JSON.

use super::{Asked, Call};
use gradus::explain;
use gradus::json::{self, Notation};
use gradus::numbers::Number;
use gradus::{Array, Compiled, Elements, Error, Mode, Value, npy};
use gradus_ir::Source;
use serde_json::{Map, Value as Json, json};
use std::io::{ErrorKind, Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;

/// The exit code of a command that the signal of a broken pipe ends, as shells have it.
const BROKEN_PIPE: i32 = 128 + 13;

/// Writes to an output. If that cannot be done, it is the end of the command.
pub fn say(mut out: impl Write, text: &str) {
    out.write_all(text.as_bytes()).unwrap_or_else(|e| unwritable(&e));
}

/// Ends the command, whose output cannot be written to: as the signal of a broken pipe does if nobody reads it any more.
fn unwritable(e: &std::io::Error) -> ! {
    if e.kind() == ErrorKind::BrokenPipe {
        std::process::exit(BROKEN_PIPE);
    }
    let e = Error::Output { path: "the output".into(), message: e.to_string() };
    // That may be the very output.
    let _ = stderr().write_all(e.render(None).as_bytes());
    std::process::exit(e.exit_code().into());
}

/// Prints to standard output, on lines of its own.
pub fn print(text: &str) {
    if !text.is_empty() {
        say(stdout(), &format!("{}\n", text.strip_suffix('\n').unwrap_or(text)));
    }
}

/// Prints what of standard output has waited for the end of its line.
pub fn flush() {
    stdout().flush().unwrap_or_else(|e| unwritable(&e));
}

/// Writes a file that was asked for.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Error> {
    std::fs::write(path, content).map_err(|e| Error::Output { path: path.display().to_string(), message: e.to_string() })
}

/// The answer of `run`.
pub fn value<N>(notation: &N, value: &Value<N::Number>, compiled: &Compiled, call: &Call, explained: Option<&Source>) -> String
where
    N: Notation<Number: Number>,
{
    if !call.json {
        let lines = explained.map(|source| explain::lines(compiled, source)).unwrap_or_default();
        return std::iter::once(value.to_string()).chain(lines).collect::<Vec<_>>().join("\n");
    }
    let mut answer = Map::new();
    answer.insert("value".into(), json::write_in(notation, value));
    if let Some(source) = explained {
        answer.extend(explain::json(compiled, source));
    }
    finish(answer, compiled)
}

/// A derivative as it is shown.
fn shown<N: Notation>(notation: &N, v: &Value<N::Number>) -> Value<N::Number> {
    match v {
        Value::F64(v) => Value::F64(notation.shown(v)),
        Value::Array(array) => match array.elements() {
            Elements::F64(v) => {
                let floats = v.iter().map(|v| notation.shown(v)).collect();
                Value::Array(Array::new(array.shape(), Elements::F64(floats)))
            }
            Elements::F32(v) => Value::Array(Array::new(array.shape(), Elements::F32(v.iter().map(|v| v + 0.0).collect()))),
            _ => v.clone(),
        },
        Value::Tuple(items) => Value::tuple(items.iter().map(|item| shown(notation, item))),
        Value::List(items) => Value::list(items.iter().map(|item| shown(notation, item))),
        Value::Record(schema, items) => Value::Record(schema.clone(), items.iter().map(|item| shown(notation, item)).collect()),
        other => other.clone(),
    }
}

/// What `grad` answers.
pub struct Derivative<F = f64> {
    value: Value<F>,
    /// One for each argument; of the highest order.
    gradient: Vec<Value<F>>,
    /// The derivatives of every order, the value first, where they were asked for.
    orders: Option<Vec<Value<F>>>,
}

impl<F: Clone> Derivative<F> {
    /// The result of what was asked, of a function of so many arguments.
    pub fn new(result: &Value<F>, asked: &Asked<F>, count: usize) -> Derivative<F> {
        let Value::Tuple(items) = result else { unreachable!("a derivative comes with the value") };
        let value = items[0].clone();
        match &asked.request {
            gradus::Request::Orders(one, _) | gradus::Request::Taylor(one, _) => {
                let highest = Value::tuple([items[items.len() - 1].clone()]);
                Derivative { value, gradient: gradus::spread(&highest, &[*one], count), orders: Some(items.to_vec()) }
            }
            _ => Derivative { value, gradient: gradus::spread(&items[1], &asked.wrt, count), orders: None },
        }
    }
}

impl Derivative {
    /// Writes value and gradients to files in a folder.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let failed = |e: std::io::Error| Error::Output { path: folder.display().to_string(), message: e.to_string() };
        std::fs::create_dir_all(folder).map_err(failed)?;
        write_arrays(folder, "value", &self.value)?;
        self.gradient
            .iter()
            .enumerate()
            .try_for_each(|(i, g)| write_arrays(folder, &format!("gradient{i}"), &shown(&json::Doubles, g)))
    }
}

/// Writes the arrays and numbers that a value is made of.
fn write_arrays(folder: &Path, name: &str, value: &Value) -> Result<(), Error> {
    match value {
        Value::Tuple(items) | Value::List(items) => {
            items.iter().enumerate().try_for_each(|(i, item)| write_arrays(folder, &format!("{name}.{i}"), item))
        }
        Value::Record(schema, items) => {
            let mut fields = schema.fields.iter().zip(items.iter());
            fields.try_for_each(|(field, item)| write_arrays(folder, &format!("{name}.{field}"), item))
        }
        Value::None | Value::Zero => Ok(()),
        _ => npy::write(folder.join(format!("{name}.npy")), value),
    }
}

/// The answer of `grad`.
pub fn gradient<N>(
    notation: &N,
    derivative: &Derivative<N::Number>,
    compiled: &Compiled,
    call: &Call,
    explained: Option<&Source>,
) -> String
where
    N: Notation<Number: Number>,
{
    let Derivative { value, gradient, orders } = derivative;
    if !call.json {
        let mut text = format!("value     {value}\n");
        if let Some(orders) = orders {
            for (k, d) in orders.iter().enumerate().skip(1) {
                text += &format!("order {k:<3} {}\n", shown(notation, d));
            }
        } else {
            let shown: Vec<String> = gradient.iter().map(|v| self::shown(notation, v).to_string()).collect();
            text +=
                &format!("gradient  {}\n", if shown.len() == 1 { shown[0].clone() } else { format!("({})", shown.join(", ")) });
        }
        if let Some(source) = explained {
            text.extend(explain::lines(compiled, source).into_iter().map(|line| line + "\n"));
        }
        return text;
    }
    let mut answer = Map::new();
    answer.insert("value".into(), json::write_in(notation, value));
    answer
        .insert("gradient".into(), Json::Array(gradient.iter().map(|v| json::write_in(notation, &shown(notation, v))).collect()));
    if let Some(orders) = orders {
        let derivatives = orders.iter().skip(1).map(|v| json::write_in(notation, &shown(notation, v)));
        answer.insert("orders".into(), Json::Array([json::write_in(notation, value)].into_iter().chain(derivatives).collect()));
    }
    if let Some(source) = explained {
        answer.extend(explain::json(compiled, source));
    }
    finish(answer, compiled)
}

fn finish(mut answer: Map<String, Json>, compiled: &Compiled) -> String {
    let report = compiled.report();
    let mut ways = report.strategies();
    if compiled.request().is_forward() {
        ways.push(Mode::Forward.name());
    }
    answer.insert("strategy".into(), if ways.is_empty() { Json::Null } else { json!(ways.join(",")) });
    let native = compiled.native().map(|code| code.stats());
    answer.insert("backend".into(), compiled.backend().name().into());
    let passes: Map<String, Json> = report.seconds().into_iter().map(|(name, s)| (name.into(), json!(s))).collect();
    answer.insert(
        "stats".into(),
        json!({
            "nodes_typed": report.nodes.0,
            "nodes_lowered": report.nodes.1,
            "derivatives_expanded": report.expanded,
            "code_bytes": native.map(|s| s.code_bytes),
            "closure_sites": native.map(|s| s.allocation_sites),
            "indirect_calls": native.map(|s| s.indirect_calls),
            "compile_seconds": passes,
        }),
    );
    Json::Object(answer).to_string()
}

/// Reports a failure; gives its exit code.
pub fn failure(e: &Error, source: Option<&Source>, as_json: bool) -> ExitCode {
    let code = e.exit_code();
    flush();
    say(stderr(), &e.render(source));
    if as_json {
        let key = if code == 3 { "unsupported" } else { "error" };
        let mut object = Map::new();
        object.insert(key.into(), json!(e.to_string()));
        let span = e.span();
        let hint = if let Error::Refused(list) = e { list[0].hint.clone() } else { None };
        let source = source.filter(|_| span.is_some());
        if let Some((source, (file, line, column))) = source.and_then(|source| Some((source, source.position(span)?))) {
            if file != source.name {
                object.insert("file".into(), json!(file));
            }
            object.insert("line".into(), json!(line));
            object.insert("column".into(), json!(column));
            let called = e.calls().iter().filter_map(|call| {
                let (file, line, _) = source.position(call.place)?;
                Some(json!({"function": &*call.function, "file": file, "line": line}))
            });
            let called: Vec<Json> = called.collect();
            if !called.is_empty() {
                object.insert("calls".into(), called.into());
            }
        }
        if let Some(hint) = hint {
            object.insert("hint".into(), json!(hint));
        }
        print(&Json::Object(object).to_string());
    }
    ExitCode::from(code)
}
