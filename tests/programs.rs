//! Every program of tests/programs, by every executor, strategy and mode, simplified and not, against answers that did not come from
//! Gradus.

#[path = "common/program.rs"]
mod program;
#[path = "common/question.rs"]
mod question;
#[path = "common/word.rs"]
mod word;

use gradus::{Engine, Function, Options, Request, Simplify, Strategy, Type, Value, active, json, spread};
use gradus_backend::interp::Interp;
use program::{Header, arguments, compare, files};
use question::Question;
use rayon::prelude::*;
use serde_json::Value as Json;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use word::{AUTO, CLOSURE, FORWARD, OBJECTS, STACK, Way, Word};

const CHECKPOINT: Way = Way::Reverse(Strategy::Checkpoint);
const TRACE: Way = Way::Reverse(Strategy::Trace);

/// The default first.
const SIMPLIFY: [Simplify; 3] = [Simplify::Interleaved, Simplify::Off, Simplify::AtEnd];

/// More nodes than this are simplified at the end only where the environment variable `ALL` is set: a few second derivatives would take a
/// third of the time of all programs.
const MOST_AT_END: usize = 10_000;

impl Question {
    /// Where the stored answers have it.
    fn key(self) -> &'static str {
        match self {
            Question::Value => "value",
            Question::Gradient => "gradient",
            Question::Second => "second",
        }
    }

    /// The ways to answer it: the plan also holds of derivatives that the program itself takes.
    fn words(self) -> Vec<Word> {
        match self {
            Question::Value => Word::all(&[AUTO, CLOSURE, STACK], 1),
            Question::Gradient => Word::all(&[AUTO, CLOSURE, OBJECTS, STACK, CHECKPOINT, TRACE, FORWARD], 1),
            Question::Second => {
                let mut words =
                    vec![Word(vec![AUTO; 2]), Word(vec![OBJECTS; 2]), Word(vec![CHECKPOINT; 2]), Word(vec![TRACE; 2])];
                words.extend(Word::all(&[CLOSURE, STACK, FORWARD], 2));
                words
            }
        }
    }

    /// What of the answer is compared, and with what.
    fn pick(self, answer: &Value, expected: &Json, wrt: &[usize], count: usize) -> (Json, Json) {
        match (self, answer) {
            (Question::Gradient, Value::Tuple(pair)) => {
                let gradient = Value::tuple(spread(&pair[1], wrt, count));
                let expected = Json::Array(vec![expected["value"].clone(), expected["gradient"].clone()]);
                (json::write(&Value::tuple([pair[0].clone(), gradient])), expected)
            }
            (Question::Second, Value::Tuple(all)) => (json::write(&all[2]), expected["second"].clone()),
            (_, value) => (json::write(value), expected["value"].clone()),
        }
    }
}

/// One list of arguments, and what the program must answer.
struct Case {
    args: Vec<Value>,
    types: Vec<Type>,
    expected: Json,
}

/// What a program answers in one way.
struct Answer {
    value: Value,
    /// Whether the program takes a derivative, so that the plan and the order of simplification mean something.
    differentiates: bool,
    /// The nodes that were compiled.
    nodes: usize,
}

/// Compiles and runs a case by the JIT and the interpreter, which must give the same bits.
fn answer(function: &Function, case: &Case, request: &Request) -> Result<Answer, String> {
    let run = || -> Result<Answer, String> {
        let compiled = function.compile(&case.types, request).map_err(|e| e.to_string())?;
        let value = compiled.run(&case.args).map_err(|e| format!("JIT: {e}"))?;
        let interp = Interp::new(&compiled.stages().lowered).map_err(|e| format!("interpreter: {e}"))?;
        let other = interp.run(&case.args).map_err(|e| format!("interpreter: {e}"))?;
        if !value.same_bits(&other) {
            return Err(format!("the JIT gives {value}, the interpreter {other}"));
        }
        let report = compiled.report();
        Ok(Answer { value, differentiates: report.expanded > 0, nodes: report.nodes.1 })
    };
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
        Err(format!("panic: {}", message.lines().take(4).collect::<Vec<_>>().join(" | ")))
    })
}

/// The ways to answer one question about a program, which must agree on all cases.
struct Check<'a> {
    /// Its function is shared by all ways, which differ in nothing before derivatives are taken.
    program: &'a Program<'a>,
    question: Question,
    cases: Vec<&'a Case>,
    /// Of each case, by default options.
    defaults: Vec<Option<Json>>,
    wrong: Vec<String>,
}

impl Check<'_> {
    fn run(&mut self) {
        let only = std::env::var("WORD").ok();
        let most = if std::env::var_os("ALL").is_some() { usize::MAX } else { MOST_AT_END };
        for word in self.question.words().into_iter().filter(|w| only.as_ref().is_none_or(|only| w.to_string() == *only)) {
            // Of mixtures the order of simplification shows nothing that their parts do not, and it takes longest.
            let is_mixture = word.0.windows(2).any(|ways| ways[0] != ways[1]);
            let mut nodes = 0;
            let [_, off, end] = SIMPLIFY.map(|simplify| match simplify {
                Simplify::AtEnd if is_mixture || nodes > most => Vec::new(),
                simplify => {
                    let answers = self.answers(&word, simplify);
                    nodes = answers.iter().flatten().map(|a| a.nodes).max().unwrap_or(0);
                    answers
                }
            });
            for (case, (end, off)) in self.cases.iter().zip(end.iter().zip(&off)) {
                // A tape sums in the order of the run, which simplification changes.
                if let (Some(end), Some(off)) = (end, off)
                    && !word.0.contains(&TRACE)
                    && !end.value.same_bits(&off.value)
                {
                    let what = format!("{:?} of {}({:?}), {word}", self.question, self.program.path.display(), case.args);
                    self.wrong.push(format!("{what}: {} simplified at the end, {} not at all", end.value, off.value));
                }
            }
            // Without derivatives no plan is read.
            if off.iter().flatten().all(|a| !a.differentiates) {
                break;
            }
        }
    }

    /// The answers to all cases in one way.
    fn answers(&mut self, word: &Word, simplify: Simplify) -> Vec<Option<Answer>> {
        let Program { path, header, function, .. } = self.program;
        let function = function.with(Options { simplify, share: true, ..word.options() });
        let tolerance = header.tolerance();
        let mut answers = Vec::with_capacity(self.cases.len());
        for (i, case) in self.cases.iter().enumerate() {
            let wrt = header.wrt().unwrap_or_else(|| active(&case.types));
            let checked = answer(&function, case, &self.question.request(word, &wrt)).and_then(|answer| {
                let (found, expected) = self.question.pick(&answer.value, &case.expected, &wrt, case.args.len());
                compare(&found, &expected, tolerance)?;
                compare(&found, self.defaults[i].get_or_insert_with(|| found.clone()), tolerance)?;
                Ok(answer)
            });
            if let Err(e) = &checked {
                let path = path.display();
                self.wrong.push(format!("{:?} of {path}({:?}), {word}, {simplify:?}: {e}", self.question, case.args));
            }
            answers.push(checked.ok());
        }
        answers
    }
}

/// A program. It is read for each question anew, as the modules that its compilations share stay as long as it does.
struct Program<'a> {
    path: &'a Path,
    header: Header,
    cases: Vec<Case>,
    function: Function,
}

impl Program<'_> {
    fn read(path: &Path) -> Program<'_> {
        let text = std::fs::read_to_string(path).expect("a readable program");
        let expected = std::fs::read_to_string(path.with_extension("out")).expect("answers beside the program");
        let header = Header::read(&text);
        let case = |(args, expected): (&str, &str)| {
            let args = arguments(args, header.is_single());
            let types = args.iter().map(Value::ty).collect();
            Case { args, types, expected: serde_json::from_str(expected).expect("JSON answers") }
        };
        let cases = header.all("args").zip(expected.lines()).map(case).collect();
        let entry = header.get("entry").expect("an entry");
        let function = Engine::default().load(path).and_then(|p| p.function(entry)).expect("a program with its entry");
        Program { path, header, cases, function }
    }

    /// What is wrong with the answers to a question.
    fn check(&self, question: Question) -> Vec<String> {
        let cases: Vec<&Case> = self.cases.iter().filter(|c| !c.expected[question.key()].is_null()).collect();
        let defaults = vec![None; cases.len()];
        let mut check = Check { program: self, question, cases, defaults, wrong: Vec::new() };
        check.run();
        check.wrong
    }
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
    let is_asked = |path: &Path, only: &str| only.split(',').any(|name| path.file_stem().is_some_and(|stem| stem == name));
    list.retain(|path| only.as_ref().is_none_or(|only| is_asked(path, only)));
    let questions = [Question::Second, Question::Gradient, Question::Value];
    let jobs: Vec<(&PathBuf, Question)> = questions.iter().flat_map(|&q| list.iter().map(move |p| (p, q))).collect();
    let wrong: Vec<String> = jobs.par_iter().flat_map(|(path, q)| Program::read(path).check(*q)).collect();
    report(wrong, list.len());
}
