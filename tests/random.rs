//! Random programs: every executor, every strategy and mode, and every order of simplification gives one answer, and differences
//! confirm the derivatives. With arrays of 32 bits there are no differences, and ways to differentiate are only close.

#[path = "random/arrays.rs"]
mod arrays;
#[path = "random/lists.rs"]
mod lists;
#[path = "random/print.rs"]
mod print;
#[path = "random/program.rs"]
mod program;
#[path = "common/question.rs"]
mod question;
#[path = "random/tree.rs"]
mod tree;
#[path = "common/word.rs"]
mod word;

use gradus::xla::Xla;
use gradus::{Array, Backend, Compiled, DType, Engine, Error, Function, Options, Request, Simplify, Source, Type, Value};
use gradus_backend::interp::Interp;
use proptest::strategy::BoxedStrategy;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use question::Question;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use word::{AUTO, CLOSURE, FORWARD, STACK, Word};

/// Between ways to differentiate and orders of simplification: of the largest entry.
const TOLERANCE: f64 = 1e-12;
/// The same with floats of 32 bits.
const SINGLE_TOLERANCE: f64 = 1e-3;
/// Between a derivative and a difference quotient that converges.
const QUOTIENT: f64 = 1e-5;

impl Question {
    /// The ways to answer, and when the code is simplified. Unsimplified second derivatives are large, and stay with one strategy;
    /// what the two make of each other's code is seen simplified.
    fn ways(self) -> Vec<(Word, &'static [Simplify])> {
        const ALL: &[Simplify] = &[Simplify::Interleaved, Simplify::AtEnd, Simplify::Off];
        match self {
            // A program may take derivatives itself.
            Question::Value => vec![(Word(vec![CLOSURE]), ALL), (Word(vec![STACK]), ALL)],
            Question::Gradient => vec![(Word(vec![CLOSURE]), ALL), (Word(vec![STACK]), ALL), (Word(vec![FORWARD]), ALL)],
            Question::Second => {
                let when = |w: &Word| match w.0[..] {
                    [CLOSURE, CLOSURE] | [STACK, STACK] => &[Simplify::Interleaved, Simplify::Off][..],
                    _ => &[Simplify::Interleaved],
                };
                let words = std::iter::once(Word(vec![AUTO; 2])).chain(Word::all(&[CLOSURE, STACK, FORWARD], 2));
                words.map(|w| (w.clone(), when(&w))).collect()
            }
        }
    }
}

fn function(text: &str) -> Result<Function, String> {
    let program = Engine::default().parse(Source::new("random.py", text));
    program.and_then(|p| p.function("main")).map_err(|e| e.to_string())
}

/// Compiles, and runs by both executors, which must give the same bits.
fn run(function: &Function, args: &[Value], options: Options, request: &Request) -> Result<(Value, Arc<Compiled>), String> {
    let types: Vec<Type> = args.iter().map(Value::ty).collect();
    let compiled = function.with(options).compile(&types, request).map_err(|e| e.to_string())?;
    let jit = compiled.run(args).map_err(|e| format!("JIT: {e}"))?;
    let interp = Interp::new(&compiled.stages().lowered).map_err(|e| format!("interpreter: {e}"))?;
    let interp = interp.run(args).map_err(|e| format!("interpreter: {e}"))?;
    if jit.same_bits(&interp) { Ok((jit, compiled)) } else { Err(format!("the JIT gives {jit}, the interpreter {interp}")) }
}

/// The answer by all ways, checked against each other; and the code of the first.
fn answer(function: &Function, args: &[Value], question: Question) -> Result<(Vec<f64>, Arc<Compiled>), String> {
    let wrt: Vec<usize> = (0..args.len() - 1).collect();
    let tolerance = if is_single(args) { SINGLE_TOLERANCE } else { TOLERANCE };
    let mut first: Option<(Vec<f64>, Arc<Compiled>)> = None;
    for (word, orders) in question.ways() {
        let request = question.request(&word, &wrt);
        let mut plain: Option<Value> = None;
        let mut differentiates = false;
        for &simplify in orders {
            let how = format!("{question:?} by {word}, {simplify:?}");
            let (value, code) =
                run(function, args, Options { simplify, ..word.options() }, &request).map_err(|e| format!("{how}: {e}"))?;
            differentiates |= code.report().expanded > 0;
            if simplify != Simplify::Interleaved && !plain.get_or_insert_with(|| value.clone()).same_bits(&value) {
                return Err(format!("{how}: {value}, {} with it at the end", plain.expect("it was set")));
            }
            let found = floats(&value);
            let (expected, _) = first.get_or_insert_with(|| (found.clone(), code));
            let scale = expected.iter().fold(1.0_f64, |s, v| s.max(v.abs()));
            let close = |(a, b): (&f64, &f64)| (a - b).abs() <= tolerance * scale || !a.is_finite() || !b.is_finite();
            if found.len() != expected.len() || !found.iter().zip(&*expected).all(close) {
                return Err(format!("{how}: {found:?}, not {expected:?} as by the first way"));
            }
        }
        if !differentiates {
            break;
        }
    }
    Ok(first.expect("there are ways"))
}

fn floats(v: &Value) -> Vec<f64> {
    match v {
        Value::F64(v) => vec![*v],
        Value::Tuple(items) => items.iter().flat_map(floats).collect(),
        Value::Array(array) => array.floats().unwrap_or_default().into_owned(),
        _ => Vec::new(),
    }
}

/// Whether an argument is an array of floats of 32 bits.
fn is_single(args: &[Value]) -> bool {
    args.iter().any(|arg| matches!(arg, Value::Array(array) if array.dtype() == DType::F32))
}

/// The limit of the central difference quotients of `f` at `x`, by Ridders' extrapolation, and its uncertainty; none where it is
/// uncertain: near a kink, or where the function is too steep.
fn quotient(mut f: impl FnMut(f64) -> Option<f64>, x: f64) -> Option<f64> {
    const STEPS: usize = 10;
    const SHRINK: f64 = 1.6;
    let mut h = 0.01;
    let mut row: Vec<f64> = Vec::new();
    let (mut best, mut uncertainty) = (f64::NAN, f64::INFINITY);
    for _ in 0..STEPS {
        let mut next = vec![(f(x + h)? - f(x - h)?) / (2.0 * h)];
        let mut factor = SHRINK * SHRINK;
        for (j, before) in row.iter().enumerate() {
            let v = (next[j] * factor - before) / (factor - 1.0);
            factor *= SHRINK * SHRINK;
            let error = (v - next[j]).abs().max((v - before).abs());
            next.push(v);
            if error <= uncertainty {
                (best, uncertainty) = (v, error);
            }
        }
        row = next;
        h /= SHRINK;
    }
    (uncertainty <= 0.1 * QUOTIENT * best.abs().max(1.0)).then_some(best)
}

/// Compares derivatives of one argument with differences of `of`, entry `entry` of its answers.
fn confirm(what: &str, found: f64, code: &Compiled, entry: usize, args: &[Value], wrt: usize) -> Result<bool, String> {
    let Value::F64(x) = args[wrt] else { unreachable!("a float argument") };
    let at = |x: f64| {
        let mut args = args.to_vec();
        args[wrt] = Value::F64(x);
        let y = floats(&code.run(&args).ok()?)[entry];
        (y.abs() < 1e6).then_some(y)
    };
    let Some(difference) = quotient(at, x) else { return Ok(false) };
    if (found - difference).abs() <= QUOTIENT * difference.abs().max(1.0) {
        return Ok(true);
    }
    Err(format!("{what} in argument {wrt} is {found}, but {difference} by differences"))
}

/// The gradient by XLA, if the environment variable `GRADUS_XLA_PLUGIN` names a plugin and the program has StableHLO.
fn confirm_by_xla(function: &Function, args: &[Value], expected: &[f64]) -> Result<(), String> {
    let Some(path) = std::env::var_os("GRADUS_XLA_PLUGIN") else { return Ok(()) };
    let plugin = Xla::load(path).map_err(|e| e.to_string())?;
    let types: Vec<Type> = args.iter().map(Value::ty).collect();
    let function = function.with(Options { xla: Some(plugin), ..Options::new().backend(Backend::Xla) });
    let compiled = match function.compile(&types, &Request::Gradient((0..args.len() - 1).collect())) {
        Err(Error::Refused(_)) => return Ok(()),
        other => other.map_err(|e| format!("XLA: {e}"))?,
    };
    let found = floats(&compiled.run(args).map_err(|e| format!("XLA: {e}"))?);
    let scale = expected.iter().fold(1.0_f64, |s, v| s.max(v.abs()));
    // Functions of XLA have other last digits, which programs may make larger.
    let tolerance = if is_single(args) { SINGLE_TOLERANCE } else { 1e-9 };
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= tolerance * scale || !a.is_finite() || !b.is_finite();
    let is_right = found.len() == expected.len() && found.iter().zip(expected).all(close);
    if is_right { Ok(()) } else { Err(format!("by XLA: {found:?}, not {expected:?} as by the first way")) }
}

/// Checks a program; gives how many derivatives were compared with differences, and how many were not.
fn check(text: &str, args: &[Value]) -> Result<[usize; 2], String> {
    let mut counts = [0; 2];
    let wrt: Vec<usize> = (0..args.len() - 1).collect();
    let function = function(text)?;
    let (_, primal) = answer(&function, args, Question::Value)?;
    let (first, gradient) = answer(&function, args, Question::Gradient)?;
    confirm_by_xla(&function, args, &first)?;
    for &i in wrt.iter().filter(|&&i| matches!(args[i], Value::F64(_)) && !is_single(args)) {
        counts[usize::from(!confirm("the gradient", first[i + 1], &primal, 0, args, i)?)] += 1;
    }
    let (orders, _) = answer(&function, args, Question::Second)?;
    if is_single(args) {
        return Ok([1, 0]);
    }
    counts[usize::from(!confirm("the second derivative", orders[2], &gradient, 1, args, 0)?)] += 1;
    Ok(counts)
}

/// Runs a check that must end: how long that takes is not of interest, and machines are slow at times.
fn watched(text: &str, args: &[Value]) -> Result<[usize; 2], String> {
    let (send, receive) = channel();
    let (text, args) = (text.to_owned(), args.to_vec());
    std::thread::spawn(move || {
        let _ = send.send(check(&text, &args));
    });
    match receive.recv_timeout(Duration::from_secs(600)) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => Err("no answer within ten minutes".into()),
        Err(RecvTimeoutError::Disconnected) => Err("a panic".into()),
    }
}

/// Runs what a strategy draws; how a program is printed, and its arguments.
fn run_all<P: std::fmt::Debug>(cases: u32, strategy: &BoxedStrategy<P>, print: impl Fn(&P) -> (String, Vec<Value>)) {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 3000, ..Config::default() };
    // Always the same programs, unless asked for others by the variables of proptest.
    let rng_seed = if config.rng_seed == RngSeed::Random { RngSeed::Fixed(1) } else { config.rng_seed };
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(config.cases);
    let mut runner = TestRunner::new(Config { cases, rng_seed, ..config });
    let counts = std::cell::Cell::new([0; 2]);
    let kept = std::env::var_os("RANDOM_KEEP").map(std::path::PathBuf::from);
    let numbers = std::cell::Cell::new(0);
    let result = runner.run(strategy, |p| {
        let (text, args) = print(&p);
        if let Some(folder) = &kept {
            let name = folder.join(format!("{}.py", numbers.replace(numbers.get() + 1)));
            std::fs::write(name, format!("# main{}\n{text}", Value::tuple(args.clone()))).expect("the folder can be written");
        }
        let done = watched(&text, &args).map_err(TestCaseError::fail)?;
        let before = counts.get();
        counts.set([before[0] + done[0], before[1] + done[1]]);
        Ok(())
    });
    if let Err(TestError::Fail(reason, p)) = result {
        let (text, args) = print(&p);
        panic!("{reason}\n\nmain{} of\n\n{text}", Value::tuple(args));
    }
    let [confirmed, uncertain] = counts.get();
    assert!(confirmed > uncertain, "differences converge for {confirmed} derivatives only, not for {uncertain}");
}

#[test]
fn programs() {
    run_all(100, &program::programs(), |p| {
        let printed = print::print(p);
        let floats = p.floats[..printed.floats].iter().map(|&v| Value::F64(v));
        (printed.text, floats.chain([Value::I64(p.count)]).collect())
    });
}

#[test]
fn arrays() {
    run_all(30, &arrays::programs(), |p| (arrays::print(p), arrays::arguments(p)));
}

#[test]
fn lists() {
    run_all(25, &lists::programs(), |p| (lists::print(p), lists::arguments(p)));
}

#[test]
fn arrays_of_32_bits() {
    let single = |v: Value| match v {
        Value::Array(array) => Array::of_floats(DType::F32, array.shape(), array.floats().expect("floats").into_owned()).into(),
        other => other,
    };
    run_all(20, &arrays::programs(), |p| (arrays::print(p), arrays::arguments(p).into_iter().map(single).collect()));
}
