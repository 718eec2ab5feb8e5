//! Loops that are run again: the bits of a full tape, with any number of slots and steps, to two orders.

use gradus::{Engine, Mode, Options, Plan, Request, Simplify, Source, Strategy, Type, Value};

const SIMPLIFY: [Simplify; 3] = [Simplify::Interleaved, Simplify::AtEnd, Simplify::Off];

/// A loop, a loop within a loop with two ways out, a `while` of unknown length, a tail call, arrays, a loop after a loop, a closure that
/// captures a float, a `raise` that is not reached.
const PROGRAM: &str = r#"
import math
import numpy as np

def plain(x, n):
    s = x
    for i in range(n):
        s = math.sin(s) * x + 0.1 * i
    return s

def nested(x, n):
    total = 0.0
    for i in range(n):
        y = x
        for j in range(i):
            y = y * x + total
            if y > 3.0:
                break
        total = total + math.cos(y) * x
    return total * x

def unknown(x, n):
    s = x
    k = 0
    while s < n and k < 1000:
        s = s + x * math.exp(-s)
        k = k + 1
    return s * k

def power(x, n, product):
    return product if n == 0 else power(x, n - 1, product * x)

def tail(x, n):
    return power(x, n, 1.0)

def arrays(x, n):
    u = np.array([x, x * x, 1.0])
    w = np.array([[0.1, x, 0.2], [0.3, 0.1, x], [x, 0.5, 0.4]])
    for _ in range(n):
        u = np.tanh(w @ u)
    return np.sum(u * u)

def twice(x, n):
    s = 1.0
    for i in range(n):
        s = s * x + math.sin(s)
    t = s
    for i in range(n):
        t = math.cos(t) * x + s
    return t

def captured(x, n):
    scale = x * 2.0
    step = lambda y: math.sin(y) * scale
    s = x
    for i in range(n):
        if s > 1e9:
            raise ValueError("too large")
        s = step(s)
    return s
"#;

const FUNCTIONS: [&str; 7] = ["plain", "nested", "unknown", "tail", "arrays", "twice", "captured"];

fn answer(function: &str, steps: i64, request: &Request, plan: Plan, simplify: Simplify) -> Value {
    let engine = Engine::new(Options { simplify, plan, ..Options::default() });
    let function_of = engine.parse(Source::new("loops.py", PROGRAM)).and_then(|p| p.function(function));
    let steps = if function == "unknown" { Value::F64(0.1 * steps as f64) } else { Value::I64(steps) };
    let args = [Value::F64(0.7), steps];
    let types: Vec<Type> = args.iter().map(Value::ty).collect();
    function_of.and_then(|f| f.compile(&types, request)?.run(&args)).expect("an answer")
}

fn floats(value: &Value) -> Vec<f64> {
    match value {
        Value::F64(v) => vec![*v],
        Value::Tuple(items) => items.iter().flat_map(floats).collect(),
        other => panic!("{other} is no float"),
    }
}

#[test]
fn the_bits_of_a_full_tape() {
    let request = Request::Reverse(vec![0]);
    for function in FUNCTIONS {
        for steps in [0, 1, 2, 3, 7, 20] {
            let tape = answer(function, steps, &request, Strategy::Stack.into(), Simplify::Interleaved);
            for (slots, simplify) in [1, 2, 5].into_iter().flat_map(|slots| SIMPLIFY.map(|simplify| (slots, simplify))) {
                let plan = Plan { slots, ..Strategy::Checkpoint.into() };
                let found = answer(function, steps, &request, plan, simplify);
                assert!(tape.same_bits(&found), "{function}, {steps} steps, {slots} slots, {simplify:?}: {found} for {tape}");
            }
        }
    }
}

#[test]
fn derivatives_of_the_rewritten_loop() {
    let request = Request::Orders(0, vec![Mode::Reverse; 2]);
    let words = [Strategy::Checkpoint, Strategy::Stack, Strategy::Closure];
    for function in FUNCTIONS {
        let tape = floats(&answer(function, 7, &request, Strategy::Stack.into(), Simplify::Interleaved));
        for (outer, simplify) in words.into_iter().flat_map(|outer| SIMPLIFY.map(|simplify| (outer, simplify))) {
            let plan = Plan { orders: vec![Strategy::Checkpoint, outer], slots: 2, ..Plan::default() };
            let found = floats(&answer(function, 7, &request, plan, simplify));
            let is_close = tape.iter().zip(&found).all(|(a, b)| (a - b).abs() <= 1e-12 * a.abs().max(1.0));
            assert!(is_close, "{function}, {outer:?}, {simplify:?}: {found:?} for {tape:?}");
        }
    }
}

#[test]
fn explained() {
    let engine = Engine::new(Options::new().strategy(Plan { slots: 3, ..Strategy::Checkpoint.into() }));
    let function = engine.parse(Source::new("loops.py", PROGRAM)).and_then(|p| p.function("plain")).expect("a program");
    let compiled = function.compile(&[Type::F64, Type::I64], &Request::Reverse(vec![0])).expect("a gradient");
    let again = &compiled.report().again;
    assert_eq!(again.iter().map(|l| (&*l.function, l.slots)).collect::<Vec<_>>(), [("plain", 3)]);
    assert!(gradus::recorded::recorded(&compiled).is_empty(), "nothing is recorded beside the states");
}
