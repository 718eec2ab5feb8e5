//! A compilation as people see it who work on Gradus: each step in a log, as files, and verified.

use crate::Error;
use gradus_ir::{Module, dot, drawing, print, verify};
use gradus_opt::{Observer, PassReport};
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What is shown of the steps of compilations. Step 0 is inference; expansions, and runs of passes that change something, are the others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inspect {
    /// A line for each step, to standard error: its number and name, how many nodes there were and are, its time, and what it did how often.
    pub log: bool,
    /// A folder in which each compilation makes one, with the program after each step, as text and in the DOT language.
    pub dump: Option<PathBuf>,
    /// Whether the verifier runs after each step. A fault ends the process as all faults of Gradus do.
    pub verify: bool,
}

impl Inspect {
    /// This, and what the variables `GRADUS_LOG`, `GRADUS_DUMP` and `GRADUS_VERIFY` ask for, for compilations by Rust and by Python.
    fn with_environment(self) -> Inspect {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty() && value != "0");
        Inspect {
            log: self.log || variable("GRADUS_LOG").is_some(),
            dump: self.dump.or_else(|| variable("GRADUS_DUMP").map(PathBuf::from)),
            verify: self.verify || variable("GRADUS_VERIFY").is_some(),
        }
    }
}

/// One compilation that is seen.
pub(crate) struct Run {
    inspect: Inspect,
    name: String,
    /// How many steps there were.
    steps: AtomicUsize,
    /// Why a file could not be written.
    failure: Mutex<Option<Error>>,
}

impl Run {
    /// Of a program after inference.
    pub fn new(typed: &Module, inspect: &Inspect) -> Arc<Run> {
        let mut inspect = inspect.clone().with_environment();
        let name = typed.entry.map_or_else(String::new, |entry| typed[entry].name.to_string());
        if let Some(folder) = &mut inspect.dump {
            static COMPILATIONS: AtomicUsize = AtomicUsize::new(1);
            let number = COMPILATIONS.fetch_add(1, Ordering::Relaxed);
            folder.push(format!("{number:04}-{}", file_name(&name)));
        }
        Arc::new(Run { inspect, name, steps: AtomicUsize::new(0), failure: Mutex::default() })
    }

    /// How many steps there were, inference among them.
    pub fn steps(&self) -> usize {
        self.steps.load(Ordering::Relaxed)
    }

    /// Sees a step of the simplifier.
    pub fn observer(self: &Arc<Run>) -> Observer {
        let run = self.clone();
        Observer(Arc::new(move |m, report| run.step(m, report)))
    }

    /// Sees a step.
    pub fn step(&self, m: &Module, report: &PassReport) {
        let number = self.steps.fetch_add(1, Ordering::Relaxed);
        if self.inspect.log {
            eprintln!("{}", self.line(number, report));
        }
        if let Err(e) = self.write(m, number, report.name) {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(e);
        }
        if self.inspect.verify
            && let Err(e) = verify::verify(m)
        {
            panic!("step {number}, {}, broke the module of `{}`:\n{e}\n{}", report.name, self.name, print::print(m));
        }
    }

    fn line(&self, number: usize, report: &PassReport) -> String {
        let PassReport { name, before, after, time, counts, .. } = report;
        let mut line =
            format!("gradus: {} {number} {name}: {before} → {after} nodes, {:.3} ms", self.name, time.as_secs_f64() * 1e3);
        for (i, (what, count)) in counts.iter().enumerate() {
            write!(line, "{}{what} {count}", if i == 0 { "; " } else { ", " }).expect("a string");
        }
        line
    }

    fn write(&self, m: &Module, number: usize, step: &str) -> Result<(), Error> {
        let Some(folder) = &self.inspect.dump else { return Ok(()) };
        let output = |path: &PathBuf, done: std::io::Result<()>| {
            done.map_err(|e| Error::Output { path: path.display().to_string(), message: e.to_string() })
        };
        output(folder, std::fs::create_dir_all(folder))?;
        let drawn = dot::dot(m, &drawing::Options { legend: true, ..drawing::Options::default() });
        for (ending, text) in [("txt", print::print(m)), ("dot", drawn)] {
            let path = folder.join(format!("{number:03}-{}.{ending}", file_name(step)));
            output(&path, std::fs::write(&path, text))?;
        }
        Ok(())
    }

    /// The end of the compilation: whether all that was asked for is written.
    pub fn finish(&self) -> Result<(), Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

fn file_name(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '-' }).collect()
}
