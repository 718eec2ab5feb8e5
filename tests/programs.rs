//! Every program of tests/programs, in every mode, by every executor, simplified and not, against answers that did not come from
//! Gradus.

use gradus::{Backend, Engine, Error, Mode, Options, Request, Simplify, Value, active, json, spread};
use rayon::prelude::*;
use serde_json::Value as Json;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const BACKENDS: [Backend; 2] = [Backend::Interp, Backend::Jit];
const SIMPLIFY: [Simplify; 3] = [Simplify::Off, Simplify::AtEnd, Simplify::Interleaved];
/// The modes of a second derivative, the inner one first.
const MODES: [[Mode; 2]; 4] = [
    [Mode::Reverse, Mode::Reverse],
    [Mode::Reverse, Mode::Forward],
    [Mode::Forward, Mode::Reverse],
    [Mode::Forward, Mode::Forward],
];
/// Of the largest entry: between the answers stored and ours, and between simplification orders.
const TOLERANCE: f64 = 1e-12;

/// The header of a program: `# key: value` lines before the first other line.
struct Header(Vec<(String, String)>);

impl Header {
    fn read(text: &str) -> Header {
        let lines = text.lines().take_while(|l| l.starts_with('#'));
        Header(lines.filter_map(|l| l[1..].split_once(':')).map(|(k, v)| (k.trim().into(), v.trim().into())).collect())
    }

    fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    fn get<'a>(&'a self, key: &'a str) -> Option<&'a str> {
        self.all(key).next()
    }

    fn wrt(&self) -> Option<Vec<usize>> {
        Some(self.get("wrt")?.split(',').map(|i| i.trim().parse().expect("a number")).collect())
    }
}

fn arguments(text: &str) -> Vec<Value> {
    let j: Json = serde_json::from_str(&format!("[{text}]")).expect("JSON arguments");
    j.as_array().expect("an array").iter().map(|j| json::read(j).expect("an argument")).collect()
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut list: Vec<PathBuf> = std::fs::read_dir(folder).expect("the folder").map(|e| e.expect("an entry").path()).collect();
    list.retain(|p| p.extension().is_some_and(|e| e == "py"));
    list.sort();
    list
}

/// The floats of an answer, in order; what is no float must be equal.
fn compare(found: &Json, expected: &Json) -> Result<(), String> {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let same = flatten(found, &mut a) == flatten(expected, &mut b) && a.len() == b.len();
    let scale = b.iter().filter(|v| v.is_finite()).fold(0.0_f64, |s, v| s.max(v.abs()));
    let close = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= TOLERANCE * scale;
    if same && a.iter().zip(&b).all(close) { Ok(()) } else { Err(format!("found {found}, expected {expected}")) }
}

fn flatten(j: &Json, out: &mut Vec<f64>) -> String {
    match j {
        Json::Number(n) => out.push(n.as_f64().expect("a number")),
        Json::String(s) if s == "nan" => out.push(f64::NAN),
        Json::String(s) if s == "inf" => out.push(f64::INFINITY),
        Json::String(s) if s == "-inf" => out.push(f64::NEG_INFINITY),
        Json::Array(items) => return format!("[{}]", items.iter().map(|i| flatten(i, out)).collect::<Vec<_>>().join(",")),
        other => return other.to_string(),
    }
    "#".into()
}

/// What one program answers for one list of arguments.
#[derive(Clone)]
struct Answer {
    how: String,
    simplify: Simplify,
    values: Vec<Value>,
}

fn check(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a readable program");
    let expected = std::fs::read_to_string(path.with_extension("out")).expect("answers beside the program");
    let header = Header::read(&text);
    let entry = header.get("entry").expect("an entry");
    let mut wrong = Vec::new();
    for (args, expected) in header.all("args").zip(expected.lines()) {
        let args = arguments(args);
        let types: Vec<_> = args.iter().map(Value::ty).collect();
        let expected: Json = serde_json::from_str(expected).expect("JSON answers");
        let wrt = header.wrt().unwrap_or_else(|| active(&types));
        let mut questions = vec![("value", Request::Value)];
        if !expected["gradient"].is_null() {
            questions.push(("gradient", Request::Gradient(wrt.clone())));
            questions.push(("gradient", Request::Forward(wrt.clone(), None)));
        }
        if !expected["second"].is_null() {
            questions.extend(MODES.map(|modes| ("second", Request::Orders(wrt[0], modes.to_vec()))));
        }
        for (what, request) in questions {
            let mut answers: Vec<Answer> = Vec::new();
            for simplify in SIMPLIFY {
                for backend in BACKENDS {
                    let how = format!("{request:?} of {}({args:?}), {backend:?}, {simplify:?}", path.display());
                    let engine = Engine::new(Options { backend, simplify, ..Options::default() });
                    let run = || -> Result<Value, Error> {
                        let function = engine.load(path)?.function(entry)?;
                        function.compile(&types, &request)?.run(&args)
                    };
                    let result = match std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)) {
                        Ok(Ok(v)) => v,
                        Ok(Err(e)) => {
                            wrong.push(format!("{how}: {e}"));
                            continue;
                        }
                        Err(panic) => {
                            let message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                            wrong.push(format!("{how}: panic: {}", message.lines().take(4).collect::<Vec<_>>().join(" | ")));
                            continue;
                        }
                    };
                    let values = match (&request, &result) {
                        (Request::Value, v) => vec![v.clone()],
                        (Request::Gradient(_) | Request::Forward(..), Value::Tuple(pair)) => {
                            vec![pair[0].clone(), Value::tuple(spread(&pair[1], &wrt, args.len()))]
                        }
                        (_, Value::Tuple(all)) => all.to_vec(),
                        _ => unreachable!("a derivative comes with the value"),
                    };
                    let checked = match what {
                        "gradient" => compare(&json::write(&values[0]), &expected["value"])
                            .and(compare(&json::write(&values[1]), &expected["gradient"])),
                        "second" => compare(&json::write(&values[2]), &expected["second"]),
                        _ => compare(&json::write(&values[0]), &expected["value"]),
                    };
                    if let Err(e) = checked {
                        wrong.push(format!("{how}: {e}"));
                    }
                    answers.push(Answer { how, simplify, values });
                }
            }
            // One graph, the same bits: between backends, and between simplifying at the end and not at all.
            let group = |s: Simplify| if s == Simplify::Interleaved { 1 } else { 0 };
            for a in &answers {
                for b in &answers {
                    let same = a.values.iter().zip(&b.values).all(|(a, b)| a.same_bits(b));
                    if group(a.simplify) == group(b.simplify) && !same && a.how < b.how {
                        wrong.push(format!("bits differ: {}\n    and {}", a.how, b.how));
                    }
                }
            }
        }
    }
    wrong
}

fn report(wrong: Vec<String>, count: usize) {
    let mut text = String::new();
    wrong.iter().for_each(|w| writeln!(text, "{w}").expect("a string"));
    assert!(wrong.is_empty(), "{} faults in {count} programs:\n{text}", wrong.len());
}

#[test]
fn programs() {
    let only = std::env::var("PROGRAM").ok();
    let mut list = files("tests/programs");
    list.retain(|p| only.as_ref().is_none_or(|o| p.file_stem().is_some_and(|s| *s.to_string_lossy() == **o)));
    let wrong: Vec<String> = list.par_iter().flat_map(|p| check(p)).collect();
    report(wrong, list.len());
}
