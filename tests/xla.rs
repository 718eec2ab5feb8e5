//! Programs of tests/programs in StableHLO, and their answers by XLA.
//!
//! The second needs a plugin of XLA, whose path is in the environment variable `GRADUS_XLA_PLUGIN`.

#[path = "common/program.rs"]
mod program;

use expect_test::expect_file;
use gradus::xla::{Sharding, TRIPS, Xla};
use gradus::{Backend, Compiled, Engine, Error, Function, Mode, Options, Request, Type, Value, active, json, spread};
use program::{Header, arguments, compare, files};
use rayon::prelude::*;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Of every so many programs the second derivative is taken, too.
const SECONDS: usize = 10;

fn plugin() -> Option<Xla> {
    let Some(path) = std::env::var_os("GRADUS_XLA_PLUGIN") else {
        println!("skipped: GRADUS_XLA_PLUGIN does not name a plugin of XLA");
        return None;
    };
    Some(Xla::load(path).expect("a plugin"))
}

/// A program with its answers.
struct Case {
    name: String,
    header: Header,
    function: Function,
    answers: Vec<(Vec<Value>, Json)>,
}

impl Case {
    fn read(path: &Path) -> Case {
        let text = std::fs::read_to_string(path).expect("a readable program");
        let expected = std::fs::read_to_string(path.with_extension("out")).expect("answers beside the program");
        let header = Header::read(&text);
        let entry = header.get("entry").expect("an entry");
        let function = Engine::default().load(path).and_then(|p| p.function(entry)).expect("a program with its entry");
        let answer =
            |(args, line): (&str, &str)| (arguments(args, header.is_single()), serde_json::from_str(line).expect("JSON answers"));
        let answers = header.all("args").zip(expected.lines()).map(answer).collect();
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        Case { name, header, function, answers }
    }

    fn wrt(&self, types: &[Type]) -> Vec<usize> {
        self.header.wrt().unwrap_or_else(|| active(types))
    }

    /// What is asked first: the gradient, if there is one.
    fn request(&self) -> (Request, Vec<Type>) {
        let (args, expected) = &self.answers[0];
        let types: Vec<Type> = args.iter().map(Value::ty).collect();
        let request = if expected["gradient"].is_null() { Request::Value } else { Request::Gradient(self.wrt(&types)) };
        (request, types)
    }

    /// What is wrong with the answers by XLA.
    fn check(&self, function: &Function, with_second: bool) -> Result<(), String> {
        for (args, expected) in &self.answers {
            let types: Vec<Type> = args.iter().map(Value::ty).collect();
            let wrt = self.wrt(&types);
            let tolerance = self.header.tolerance();
            let run = |request: &Request| function.compile(&types, request).and_then(|c| c.run(args)).map_err(|e| e.to_string());
            if expected["gradient"].is_null() {
                compare(&json::write(&run(&Request::Value)?), &expected["value"], tolerance)?;
            } else {
                let Value::Tuple(pair) = run(&Request::Gradient(wrt.clone()))? else { return Err("no pair".into()) };
                let gradient = Value::tuple(spread(&pair[1], &wrt, args.len()));
                let wanted = Json::Array(vec![expected["value"].clone(), expected["gradient"].clone()]);
                compare(&json::write(&Value::tuple([pair[0].clone(), gradient])), &wanted, tolerance)?;
            }
            if with_second && !expected["second"].is_null() {
                let modes = vec![Mode::Reverse, Mode::Forward];
                let compiled = self.function.compile(&types, &Request::Orders(wrt[0], modes.clone()));
                // A second derivative may need what the first did not.
                if compiled.is_ok_and(|c| exports(&c)) {
                    let Value::Tuple(orders) = run(&Request::Orders(wrt[0], modes))? else { return Err("no orders".into()) };
                    compare(&json::write(&orders[2]), &expected["second"], tolerance)?;
                }
            }
        }
        Ok(())
    }
}

fn exports(compiled: &Compiled) -> bool {
    compiled.stablehlo(&Sharding::default(), 1).is_ok()
}

fn cases() -> Vec<Case> {
    let only = std::env::var("PROGRAM").ok();
    let mut list = files("tests/programs");
    list.retain(|p| only.as_ref().is_none_or(|o| p.file_stem().is_some_and(|s| *s.to_string_lossy() == **o)));
    list.par_iter().map(|path| Case::read(path)).collect()
}

/// Which programs have no StableHLO, and why; of all others it is written.
#[test]
fn refusals() {
    let cases = cases();
    let found: Vec<Option<String>> = cases
        .par_iter()
        .map(|case| {
            let (request, types) = case.request();
            let compiled = case.function.compile(&types, &request).expect("a program of the tests");
            match compiled.stablehlo(&Sharding::default(), TRIPS) {
                Ok(_) => None,
                Err(e @ (Error::Refused(_) | Error::Unavailable(_))) => Some(e.to_string()),
                Err(e) => panic!("{}: {e}", case.name),
            }
        })
        .collect();
    let mut table: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (case, reason) in cases.iter().zip(&found) {
        if let Some(reason) = reason {
            table.entry(reason).or_default().push(&case.name);
        }
    }
    let written = found.iter().filter(|reason| reason.is_none()).count();
    let mut text = format!("{written} of {} programs have StableHLO.\n", cases.len());
    for (reason, names) in table {
        _ = write!(text, "\n{}: {reason}\n", names.len());
        names.iter().for_each(|name| _ = writeln!(text, "    {name}"));
    }
    if std::env::var_os("PROGRAM").is_none() {
        expect_file!["xla/refused.txt"].assert_eq(&text);
    }
}

#[test]
fn answers() {
    let Some(plugin) = plugin() else { return };
    let cases = cases();
    let options = Options { xla: Some(plugin), backend: Backend::Xla, ..Options::default() };
    let wrong: Vec<String> = cases
        .par_iter()
        .enumerate()
        .filter_map(|(i, case)| {
            let (request, types) = case.request();
            let function = case.function.with(options.clone());
            let wrong = if case.function.compile(&types, &request).is_ok_and(|c| exports(&c)) {
                case.check(&function, i % SECONDS == 0).err()
            } else {
                None
            };
            wrong.map(|e| format!("{}: {e}", case.name))
        })
        .collect();
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}
