//! Derivatives of derivatives: every kind of program by every strategy and mode at every order up to the third, simplified and not,
//! against exact answers.

#[path = "matrix/control.rs"]
mod control;
#[path = "matrix/data.rs"]
mod data;
#[path = "matrix/series.rs"]
mod series;
#[path = "common/word.rs"]
mod word;

use gradus::{Compiled, Engine, Error, Function, Options, Request, Simplify, Source, Strategy, Type, Value};
use gradus_backend::interp::Interp;
use rayon::prelude::*;
use series::Series;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use word::{AUTO, CLOSURE, FORWARD, OBJECTS, STACK, Way, Word};

/// Of the largest among a value and its derivatives.
const TOLERANCE: f64 = 1e-12;
const ORDERS: usize = 3;
const SIMPLIFY: [Simplify; 2] = [Simplify::Interleaved, Simplify::Off];

/// A program `f` of a float, and what it is.
struct Program {
    kind: &'static str,
    text: &'static str,
    /// On both sides of each branch, with different numbers of trips.
    points: &'static [f64],
    answer: Answer,
}

/// The value and three derivatives.
enum Answer {
    /// In closed form.
    Closed(fn(f64) -> [f64; ORDERS + 1]),
    /// By series of fractions, rounded once.
    Exact(fn(Series) -> Series),
}

impl Answer {
    fn at(&self, x: f64) -> [f64; ORDERS + 1] {
        match self {
            Answer::Closed(f) => f(x),
            Answer::Exact(f) => f(Series::variable(x)).derivatives(),
        }
    }
}

fn floats(v: &Value) -> Vec<f64> {
    match v {
        Value::F64(v) => vec![*v],
        Value::Tuple(items) => items.iter().flat_map(floats).collect(),
        _ => Vec::new(),
    }
}

fn compile(text: &str, options: Options, request: &Request) -> Result<Arc<Compiled>, Error> {
    function(text)?.with(options).compile(&[Type::F64], request)
}

fn function(text: &str) -> Result<Function, Error> {
    Engine::default().parse(Source::new("matrix.py", text))?.function("f")
}

/// Runs it by both executors, which must give the same bits.
fn run(code: &Compiled, x: f64) -> Result<Vec<f64>, String> {
    let args = [Value::F64(x)];
    let jit = code.run(&args).map_err(|e| format!("JIT: {e}"))?;
    let interp = Interp::new(&code.stages().lowered).map_err(|e| format!("interpreter: {e}"))?;
    let interp = interp.run(&args).map_err(|e| format!("interpreter: {e}"))?;
    if jit.same_bits(&interp) { Ok(floats(&jit)) } else { Err(format!("the JIT gives {jit}, the interpreter {interp}")) }
}

/// A program, differentiated by a word.
struct Cell<'a> {
    program: &'a Program,
    /// Shared by all cells of the program, which differ in nothing before derivatives are taken.
    function: &'a Function,
    word: &'a Word,
    simplify: Simplify,
}

impl Cell<'_> {
    fn check(&self) -> Result<(), String> {
        let options = Options { simplify: self.simplify, share: true, ..self.word.options() };
        let request = Request::Orders(0, self.word.modes());
        let code = self.function.with(options).compile(&[Type::F64], &request).map_err(|e| e.to_string())?;
        // The strategy that was asked for is used, or the compiler says what keeps it from a function.
        let decided = |strategy| {
            let mut decisions = code.report().decisions.iter();
            decisions.any(|d| d.strategy == strategy || d.reason != "as asked")
        };
        for (way, strategy) in [(CLOSURE, Strategy::Closure), (STACK, Strategy::Stack)] {
            if self.word.0.contains(&way) && !decided(strategy) {
                let decisions = &code.report().decisions;
                return Err(format!("no function was differentiated by {}: {decisions:?}", strategy.name()));
            }
        }
        for &x in self.program.points {
            let found = run(&code, x)?;
            let expected = &self.program.answer.at(x)[..=self.word.0.len()];
            let scale = expected.iter().fold(0.0_f64, |s, v| s.max(v.abs()));
            if found.len() != expected.len() || found.iter().zip(expected).any(|(a, b)| (a - b).abs() > TOLERANCE * scale) {
                return Err(format!("at {x}: {found:?}, not {expected:?}"));
            }
        }
        Ok(())
    }

    /// What is wrong, if anything is.
    fn fault(&self) -> Option<String> {
        let checked = std::panic::catch_unwind(AssertUnwindSafe(|| self.check())).unwrap_or_else(|_| Err("a panic".into()));
        checked.err().map(|fault| format!("{}, {}, {:?}: {fault}", self.program.kind, self.word, self.simplify))
    }
}

/// The product of programs, ways, orders and simplification. The ways of an order are {closure, stack, forward} to its power, and
/// {auto, objects}.
#[test]
fn matrix() {
    let only = std::env::var("KIND").ok();
    let programs = control::PROGRAMS.iter().chain(data::PROGRAMS);
    let programs: Vec<&Program> = programs.filter(|p| only.as_ref().is_none_or(|kind| p.kind == kind)).collect();
    let words: Vec<Word> = (1..=ORDERS)
        .flat_map(|n| Word::all(&[CLOSURE, STACK, FORWARD], n).into_iter().chain(Word::all(&[AUTO, OBJECTS], n)))
        .collect();
    let ways: Vec<(&Word, Simplify)> = words.iter().flat_map(|word| SIMPLIFY.map(|simplify| (word, simplify))).collect();
    // The longest words come first. The modules that cells share go with the function of the program.
    let faults = |program: &&Program| -> Vec<String> {
        let function = function(program.text).expect("a correct program");
        let fault = |&(word, simplify): &(&Word, Simplify)| Cell { program, function: &function, word, simplify }.fault();
        ways.par_iter().rev().filter_map(fault).collect()
    };
    let wrong: Vec<String> = programs.par_iter().flat_map(faults).collect();
    assert!(wrong.is_empty(), "{} of {} cells:\n{}", wrong.len(), programs.len() * ways.len(), wrong.join("\n"));
}

/// An operator `D(function, place)` of a program.
fn derivative(way: Way, function: &str, place: &str) -> String {
    match way {
        Way::Forward => format!("jvp({function}, ({place},), (1.0,))[1]"),
        Way::Reverse(_) | Way::Objects => format!("grad({function})({place})"),
    }
}

/// The tangents and cotangents of two derivatives, one inside of the other, do not meet (Siskind and Pearlmutter, "Perturbation
/// confusion and referential transparency", 2005).
#[test]
fn perturbations_are_not_confused() {
    for (inner, at, expected) in [("x + y", 1.0, 1.0), ("x * y", 4.0, 8.0)] {
        for word in Word::all(&[CLOSURE, STACK, FORWARD], 2) {
            let within = derivative(word.0[0], &format!("lambda y: {inner}"), "1.0");
            let outer = derivative(word.0[1], &format!("lambda x: x * {within}"), "x");
            let text = format!("from gradus import grad, jvp\ndef f(x):\n    return {outer}\n");
            let code = compile(&text, word.options(), &Request::Value).expect("a correct program");
            assert_eq!(run(&code, at), Ok(vec![expected]), "{word} of {text}");
        }
    }
}
