//! The cases of a study: each program at each of its arguments and orders, with the ways that are compared there.

use super::super::compare::{find, written};
use super::super::{BackendFlag, Call, Choices, ClosuresFlag, MathFlag, Question, StrategyFlag};
use super::file::{Failure, File, Program, place};
use super::record::Point;
use super::ways::Choice;
use gradus::{Engine, Error, Options, Type};
use gradus_ir::Span;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Value;

/// What is compared: one derivative of a program on one list of arguments, by several ways.
pub struct Case {
    pub program: String,
    pub kind: String,
    pub file: PathBuf,
    pub function: String,
    /// The value of the swept argument; none at the arguments of the file.
    pub point: Option<Point>,
    pub order: usize,
    /// Whether it stands for its program: the first order at the arguments of the file.
    pub is_first: bool,
    pub call: String,
    pub question: Question,
    pub wrt: Vec<usize>,
    pub ways: Vec<Choice>,
}

impl Case {
    /// A name for files.
    pub fn name(&self) -> String {
        let point = self.point.as_ref().map(|p| format!("-{}-{}", p.argument, p.value)).unwrap_or_default();
        format!("{}-{}{point}", self.program, self.order)
    }
}

/// The programs of a study that were read, by their paths.
#[derive(Default)]
pub struct Loaded {
    programs: BTreeMap<PathBuf, gradus::Program>,
}

impl Loaded {
    /// The texts of the files, by their paths as messages show them.
    pub fn texts(&self) -> BTreeMap<String, String> {
        self.programs.iter().map(|(path, p)| (path.display().to_string(), p.source().text.to_string())).collect()
    }

    fn load(&mut self, study: &File, program: &Program, folder: &Path) -> Result<(PathBuf, gradus::Program), Failure> {
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

    /// The cases of a study, in the order of its programs. `only` leaves out programs without a word in their names.
    pub fn cases(&mut self, study: &File, folder: &Path, quick: bool, only: Option<&str>) -> Result<Vec<Case>, Failure> {
        let quick = quick.then_some(&study.quick);
        let is_asked = |program: &&Program| {
            let named = quick.is_none_or(|q| q.programs.is_empty() || q.programs.iter().any(|p| *p.get_ref() == program.name));
            named && only.is_none_or(|word| program.name.contains(word))
        };
        let mut cases = Vec::new();
        for program in study.programs.iter().filter(is_asked) {
            let orders = quick.and_then(|q| q.orders.clone());
            let orders: Vec<usize> = match orders {
                Some(orders) => program.axes.orders.iter().copied().filter(|n| orders.contains(n)).collect(),
                None => program.axes.orders.clone(),
            };
            self.of_program(study, program, folder, &orders, &mut cases)?;
        }
        match cases.is_empty() {
            true => Err((Error::Arguments("the study has no program that is asked for".into()), None)),
            false => Ok(cases),
        }
    }

    fn of_program(
        &mut self,
        study: &File,
        program: &Program,
        folder: &Path,
        orders: &[usize],
        cases: &mut Vec<Case>,
    ) -> Result<(), Failure> {
        let (path, loaded) = self.load(study, program, folder)?;
        let args = program.args.iter().map(|arg| {
            let refused = |message: String| study.refused(place(arg.span()), message, None);
            argument(arg.get_ref(), folder).map_err(refused)
        });
        let args = args.collect::<Result<Vec<String>, Failure>>()?;
        let ask = |args: &[String], at: Span| {
            let call = call(&path, program.function.get_ref(), args);
            let typed = || {
                let question = Question::new(&loaded, &call)?;
                let result = question.function.result_type(&question.types)?;
                Ok((question, result))
            };
            // A refusal of the program has its place there.
            let (question, result) = typed().map_err(|e| match e {
                Error::Refused(list) if list.iter().any(|d| d.span.is_some()) => {
                    (Error::Refused(list), Some(loaded.source().clone()))
                }
                e => study.refused(at, e.to_string(), None),
            })?;
            match result {
                Type::F64 => Ok(question),
                other => {
                    let message =
                        format!("`{}` returns {}, and a study takes derivatives of a float", program.name, other.describe());
                    Err(study.refused(at, message, None))
                }
            }
        };
        let base = ask(&args, place(program.function.span()))?;
        let mut points: Vec<(Option<Point>, usize, Vec<String>, Span)> = vec![(None, 0, args.clone(), program.span)];
        for (name, values) in &program.sweep {
            let at = place(name.span());
            let (name, index) =
                find(name.get_ref(), &base.function, base.values.len()).map_err(|e| study.refused(at, e, None))?;
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
                points.push((Some(Point { argument: name.clone(), value: number }), index, args, at));
            }
        }
        for (point, index, args, at) in points {
            for &order in orders {
                let question = ask(&args, at)?;
                let wrt = self::wrt(study, program, &question, order)?;
                let swept = point.as_ref().map(|p| (index, &*p.argument));
                cases.push(Case {
                    program: program.name.clone(),
                    kind: program.kind.clone(),
                    file: path.clone(),
                    function: program.function.get_ref().clone(),
                    call: written(program.function.get_ref(), &question.values, swept),
                    is_first: point.is_none() && order == orders[0],
                    point: point.clone(),
                    order,
                    question,
                    wrt,
                    ways: program.axes.ways(order),
                });
            }
        }
        Ok(())
    }
}

/// The arguments that derivatives are taken in: above the first order, one float.
fn wrt(study: &File, program: &Program, q: &Question, order: usize) -> Result<Vec<usize>, Failure> {
    let at = program.wrt.as_ref().map_or(program.span, |wrt| place(wrt.span()));
    let wrt = program.wrt.as_ref().map_or_else(|| gradus::active(&q.types), |wrt| wrt.get_ref().clone());
    if let Some(i) = wrt.iter().find(|&&i| q.types.get(i).is_none_or(Type::is_inert)) {
        return Err(study.refused(at, format!("argument {i} is none that holds floats; they are counted from 0"), None));
    }
    if wrt.is_empty() {
        let hint = "write 3.0 for a float";
        return Err(study.refused(at, format!("`{}` has no argument that holds floats", program.name), Some(hint)));
    }
    let float = wrt.iter().copied().find(|&i| q.types[i] == Type::F64);
    match (order, float) {
        (1, _) => Ok(wrt),
        (_, Some(i)) => Ok(vec![i]),
        (_, None) => {
            let message = format!("derivatives of order {order} are taken in a float, and `{}` has none", program.name);
            Err(study.refused(at, message, Some("give the program `ways.orders = [1]`")))
        }
    }
}

/// A call of the command that asks for the defaults.
fn call(file: &Path, function: &str, args: &[String]) -> Call {
    let choices = Choices {
        strategy: vec![StrategyFlag::Auto],
        math: MathFlag::Exact,
        no_interleave: false,
        no_simplify: false,
        closures: None::<ClosuresFlag>,
        recompute: Options::default().recompute,
    };
    Call {
        file: file.to_owned(),
        function: function.to_owned(),
        args: args.to_vec(),
        args_json: None,
        backend: BackendFlag::Jit,
        memory: None,
        choices,
        json: false,
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
