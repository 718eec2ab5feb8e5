//! Random programs: every executor and every order of simplification gives one answer, and differences confirm the derivatives.

#[path = "random/print.rs"]
mod print;
#[path = "random/program.rs"]
mod program;

use gradus::{Compiled, Engine, Mode, Options, Request, Simplify, Source, Type, Value};
use gradus_backend::interp::Interp;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Between simplification while derivatives are expanded and at the end: of the largest entry.
const TOLERANCE: f64 = 1e-12;
/// Between a derivative and a difference quotient that converges.
const QUOTIENT: f64 = 1e-5;

/// When a request's code is simplified. Unsimplified second derivatives are large, and stay out.
fn orders(request: &Request) -> &'static [Simplify] {
    match request {
        Request::Orders(..) => &[Simplify::Off, Simplify::Interleaved],
        _ => &[Simplify::Off, Simplify::AtEnd, Simplify::Interleaved],
    }
}

fn compile(text: &str, simplify: Simplify, types: &[Type], request: &Request) -> Result<Arc<Compiled>, String> {
    let program = Engine::new(Options { simplify, ..Options::default() }).parse(Source::new("random.py", text));
    let compiled = program.and_then(|p| p.function("main")).and_then(|f| f.compile(types, request));
    compiled.map_err(|e| format!("{request:?}, {simplify:?}: {e}"))
}

/// The answer to a request by all ways, checked against each other; and the code of the last.
fn answer(text: &str, args: &[Value], request: &Request) -> Result<(Vec<f64>, Arc<Compiled>), String> {
    let types: Vec<Type> = args.iter().map(Value::ty).collect();
    let mut answers = Vec::new();
    let mut code = None;
    for &simplify in orders(request) {
        let compiled = compile(text, simplify, &types, request)?;
        let fails = |who: &str, e: &dyn std::fmt::Display| format!("{request:?}, {simplify:?}, {who}: {e}");
        let jit = compiled.run(args).map_err(|e| fails("JIT", &e))?;
        let interp = Interp::new(&compiled.stages().lowered).map_err(|e| fails("interpreter", &e))?;
        let interp = interp.run(args).map_err(|e| fails("interpreter", &e))?;
        if !jit.same_bits(&interp) {
            return Err(format!("{request:?}, {simplify:?}: the JIT gives {jit}, the interpreter {interp}"));
        }
        answers.push(jit);
        code = Some(compiled);
    }
    let (off, between) = (&answers[0], &answers[answers.len() - 1]);
    if let [_, end, _] = &answers[..]
        && !off.same_bits(end)
    {
        return Err(format!("{request:?}: {off} without simplification, {end} with it at the end"));
    }
    let (a, b) = (floats(off), floats(between));
    let scale = a.iter().fold(1.0_f64, |s, v| s.max(v.abs()));
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= TOLERANCE * scale || !a.is_finite() || !b.is_finite();
    if a.len() != b.len() || !a.iter().zip(&b).all(close) {
        return Err(format!("{request:?}: {off} without simplification, {between} with it between derivatives"));
    }
    Ok((b, code.expect("it was compiled")))
}

fn floats(v: &Value) -> Vec<f64> {
    match v {
        Value::F64(v) => vec![*v],
        Value::Tuple(items) => items.iter().flat_map(floats).collect(),
        _ => Vec::new(),
    }
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

/// Checks a program; gives how many derivatives were compared with differences, and how many were not.
fn check(text: &str, args: &[Value]) -> Result<[usize; 2], String> {
    let mut counts = [0; 2];
    let wrt: Vec<usize> = (0..args.len() - 1).collect();
    let (_, primal) = answer(text, args, &Request::Value)?;
    let (first, gradient) = answer(text, args, &Request::Gradient(wrt.clone()))?;
    for &i in &wrt {
        counts[usize::from(!confirm("the gradient", first[i + 1], &primal, 0, args, i)?)] += 1;
    }
    let (orders, _) = answer(text, args, &Request::Orders(0, vec![Mode::Reverse; 2]))?;
    counts[usize::from(!confirm("the second derivative", orders[2], &gradient, 1, args, 0)?)] += 1;
    Ok(counts)
}

/// Runs a check where it may take its time only so long.
fn watched(text: &str, args: &[Value]) -> Result<[usize; 2], String> {
    let (send, receive) = channel();
    let (text, args) = (text.to_owned(), args.to_vec());
    std::thread::spawn(move || {
        let _ = send.send(check(&text, &args));
    });
    match receive.recv_timeout(Duration::from_secs(60)) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => Err("no answer within a minute".into()),
        Err(RecvTimeoutError::Disconnected) => Err("a panic".into()),
    }
}

#[test]
fn programs() {
    let config = Config { cases: 100, failure_persistence: None, max_shrink_iters: 3000, ..Config::default() };
    // Always the same programs, unless asked for others by the variables of proptest.
    let rng_seed = if config.rng_seed == RngSeed::Random { RngSeed::Fixed(1) } else { config.rng_seed };
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(config.cases);
    let mut runner = TestRunner::new(Config { cases, rng_seed, ..config });
    let counts = std::cell::Cell::new([0; 2]);
    let arguments = |p: &program::Program, floats: usize| -> Vec<Value> {
        p.floats[..floats].iter().map(|&v| Value::F64(v)).chain([Value::I64(p.count)]).collect()
    };
    let result = runner.run(&program::programs(), |p| {
        let printed = print::print(&p);
        let done = watched(&printed.text, &arguments(&p, printed.floats)).map_err(TestCaseError::fail)?;
        let before = counts.get();
        counts.set([before[0] + done[0], before[1] + done[1]]);
        Ok(())
    });
    if let Err(TestError::Fail(reason, p)) = result {
        let printed = print::print(&p);
        panic!("{reason}\n\nmain{} of\n\n{}", Value::tuple(arguments(&p, printed.floats)), printed.text);
    }
    let [confirmed, uncertain] = counts.get();
    assert!(confirmed > uncertain, "differences converge for {confirmed} derivatives only, not for {uncertain}");
}
