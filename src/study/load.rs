//! The programs of a study's file: read from their files, with the arguments that the study gives them.

use super::cases::{Asked, Point, Refusal, Subject};
use super::file::{Failure, File, Program, place};
use crate::compare::{call_text, find_argument};
use crate::{Engine, Error, Options, json, npy};
use gradus_ir::Span;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Value;

/// The files of a study that were read, by their paths.
#[derive(Default)]
pub struct Loaded {
    programs: BTreeMap<PathBuf, crate::Program>,
}

impl Loaded {
    fn load(&mut self, study: &File, program: &Program, folder: &Path) -> Result<(PathBuf, crate::Program), Failure> {
        let path = folder.join(program.file.get_ref());
        if let Some(known) = self.programs.get(&path) {
            return Ok((path, known.clone()));
        }
        let loaded = Engine::new(Options::default()).load(&path).map_err(|e| match e {
            Error::File { .. } => {
                study.refused(place(program.file.span()), e.to_string(), Some("paths begin at the folder of the study"))
            }
            e => {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                (e, Some(gradus_ir::Source::new(path.display().to_string(), text)))
            }
        })?;
        self.programs.insert(path.clone(), loaded.clone());
        Ok((path, loaded))
    }

    /// A program of a study at all its arguments.
    pub fn subject(&mut self, study: &File, program: &Program, folder: &Path) -> Result<Subject, Failure> {
        let (path, loaded) = self.load(study, program, folder)?;
        let args = program.args.iter().map(|arg| {
            let refused = |message: String| study.refused(place(arg.span()), message, None);
            argument(arg.get_ref(), folder).map_err(refused)
        });
        let args = args.collect::<Result<Vec<String>, Failure>>()?;
        let name = program.function.get_ref();
        let ask = |args: &[String], swept: Option<(usize, &str)>, at: Span| {
            let asked = || {
                let function = loaded.function(name)?;
                let values = args.iter().enumerate().map(value).collect::<Result<Vec<_>, Error>>()?;
                let values = function.arguments(values)?;
                let call = call_text(name, &values, swept);
                Asked::new(&function.for_arguments(&values), values, call)
            };
            // A refusal of the program has its place there.
            asked().map_err(|e| match e {
                Error::Refused(list) if list.iter().any(|d| d.span.is_some()) => {
                    (Error::Refused(list), Some(loaded.source().clone()))
                }
                e => study.refused(at, e.to_string(), None),
            })
        };
        let base = ask(&args, None, place(program.function.span()))?;
        base.check(&program.name).map_err(|r| study.refused(place(program.function.span()), r.message, r.hint))?;
        let mut points = Vec::new();
        for (said, values) in &program.sweep {
            let at = place(said.span());
            let (name, index) =
                find_argument(said.get_ref(), &base.function, base.values.len()).map_err(|e| study.refused(at, e, None))?;
            for value in values {
                let at = place(value.span());
                let refused = |message: String| study.refused(at, message, None);
                let (text, number) =
                    swept(program.args.get(index).map(toml::Spanned::get_ref), value.get_ref()).map_err(refused)?;
                let text = argument(&text, folder).map_err(refused)?;
                let mut args = args.clone();
                match args.get_mut(index) {
                    Some(arg) => *arg = text,
                    None => return Err(refused(format!("`{name}` is no argument of `args`"))),
                }
                points.push((Some(Point { argument: name.clone(), value: number }), ask(&args, Some((index, &name)), at)?));
            }
        }
        points.insert(0, (None, base));
        let at = program.wrt.as_ref().map_or(program.span, |wrt| place(wrt.span()));
        let subject = Subject {
            name: program.name.clone(),
            kind: program.kind.clone(),
            file: path.display().to_string(),
            text: loaded.source().text.to_string(),
            function: name.clone(),
            wrt: program.wrt.as_ref().map(|wrt| wrt.get_ref().clone()),
            axes: program.axes.clone(),
            points,
        };
        subject.check().map_err(|Refusal { message, hint }| study.refused(at, message, hint))?;
        Ok(subject)
    }
}

/// The value of an argument that the command would be given.
fn value((i, text): (usize, &String)) -> Result<crate::Value, Error> {
    match text.strip_prefix('@') {
        Some(path) => npy::read(path),
        None => {
            let refused = |e: String| Error::Arguments(format!("argument {i}: {e}"));
            json::read(&json::parse(text).map_err(|e| refused(e.to_string()))?).map_err(refused)
        }
    }
}

/// An argument of a study as one of the command; files begin at the folder of the study.
fn argument(value: &Value, folder: &Path) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(match text.strip_prefix('@') {
            Some(path) => format!("@{}", folder.join(path).display()),
            None => serde_json::Value::String(text.clone()).to_string(),
        }),
        value => json(value),
    }
}

/// A value of TOML as JSON.
fn json(value: &Value) -> Result<String, String> {
    let list = |items: Vec<String>, [open, close]: [char; 2]| format!("{open}{}{close}", items.join(","));
    match value {
        Value::String(text) => Ok(serde_json::Value::String(text.clone()).to_string()),
        Value::Integer(v) => Ok(v.to_string()),
        Value::Boolean(v) => Ok(v.to_string()),
        Value::Float(v) if v.is_nan() => Ok("NaN".into()),
        Value::Float(v) if v.is_infinite() => Ok(if *v > 0.0 { "Infinity" } else { "-Infinity" }.into()),
        Value::Float(v) => Ok(format!("{v:?}")),
        Value::Array(items) => Ok(list(items.iter().map(json).collect::<Result<_, _>>()?, ['[', ']'])),
        Value::Table(items) => {
            let item = |(key, v): (&String, &Value)| Ok(format!("{}:{}", serde_json::Value::String(key.clone()), json(v)?));
            Ok(list(items.iter().map(item).collect::<Result<Vec<String>, String>>()?, ['{', '}']))
        }
        Value::Datetime(_) => Err("a date is no argument".into()),
    }
}

/// What stands in the place of an argument in a sweep, and the number of it in plots: a number, or a list of so many items, those of
/// the argument again and again.
fn swept(argument: Option<&Value>, value: &Value) -> Result<(Value, f64), String> {
    match (argument, value) {
        (Some(Value::Array(items)), Value::Integer(n @ 1..=10_000_000)) if !items.is_empty() => {
            Ok((Value::Array(items.iter().cycle().take(*n as usize).cloned().collect()), *n as f64))
        }
        (Some(Value::Array(_)), _) => Err("the length of a list is swept: a number from 1 to 10000000".into()),
        (Some(Value::Float(_)), Value::Float(v)) => Ok((Value::Float(*v), *v)),
        (Some(Value::Float(_)), Value::Integer(n)) => Ok((Value::Float(*n as f64), *n as f64)),
        (Some(Value::Integer(_)), Value::Integer(n)) => Ok((Value::Integer(*n), *n as f64)),
        (Some(Value::Integer(_)), Value::Float(v)) => Err(format!("the argument is an int, and {v:?} is none")),
        (Some(_), _) => Err("numbers and lengths of lists are swept, and this argument is neither".into()),
        (None, _) => Err("the program has no such argument".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_json() {
        let read = |text: &str| argument(&format!("x = {text}").parse::<toml::Table>().expect("TOML")["x"], Path::new("a"));
        for (toml, json) in [
            ("2.0", "2.0"),
            ("1e30", "1e30"),
            ("-3", "-3"),
            ("inf", "Infinity"),
            ("[1.0, [2]]", "[1.0,[2]]"),
            ("{ t = \"list\", v = [1.5] }", "{\"t\":\"list\",\"v\":[1.5]}"),
            ("\"a\\\"b\"", "\"a\\\"b\""),
            ("\"@x.npy\"", "@a/x.npy"),
            ("true", "true"),
        ] {
            assert_eq!(read(toml), Ok(json.to_owned()));
        }
        assert!(read("2020-01-01").is_err());
    }

    #[test]
    fn sweeps_of_numbers_and_lengths() {
        let list = Value::Array(vec![Value::Float(1.0), Value::Float(2.0)]);
        let (longer, n) = swept(Some(&list), &Value::Integer(3)).expect("a list");
        assert_eq!((json(&longer), n), (Ok("[1.0,2.0,1.0]".into()), 3.0));
        assert_eq!(swept(Some(&Value::Float(1.0)), &Value::Integer(3)), Ok((Value::Float(3.0), 3.0)));
        assert!(swept(Some(&Value::Integer(1)), &Value::Float(1.5)).is_err());
        assert!(swept(Some(&list), &Value::Integer(0)).is_err());
    }
}
