//! What runs take of memory: what nobody refers to any more is used again.

use gradus::{Array, Compiled, Dims, Elements, Engine, Options, Plan, Program, Request, Source, Strategy, Value};
use std::sync::Arc;

const PROGRAM: &str = "
import numpy as np
from gradus import grad

def network(w, x):
    h = np.zeros(4)
    for i in range(len(x)):
        h = np.tanh(h * w[:4] + x[i] * w[4:8] + w[8:])
    return np.sum(h * h)

def training(w, x, n):
    for i in range(n):
        w = w - 0.01 * grad(network)(w, x)
    return np.sum(w)

def fill(w, x, n):
    y = np.zeros(1000)
    for i in range(n):
        y[i % 1000] += w[i % 12] * x[i % 7]
    return np.sum(y * y)

def window(w, x, n):
    kept = [x]
    for i in range(n):
        kept = kept + [x * w[i % 12]]
        if len(kept) > 4 + n % 2:
            kept = kept[1:]
    return np.sum(kept[0])

def rows(w, x, n):
    total = 0.0
    for i in range(n):
        row = []
        j = 0
        while j * j < i % 10 + n % 2:
            row.append(w[j] * j)
            j += 1
        for v in row:
            total += v
    return total

def momentum(w, x, n):
    v = np.zeros_like(w)
    for i in range(n):
        v = 0.9 * v + w * x.sum()
        w = w - 0.1 * v
    return np.sum(w)
";

fn programs() -> [Program; 2] {
    [Strategy::Closure, Strategy::Stack].map(|strategy| {
        let engine = Engine::new(Options { plan: Plan::from(strategy), ..Options::default() });
        engine.parse(Source::new("memory.py", PROGRAM)).expect("correct Python")
    })
}

/// A request for a run with so many trips of the loop.
fn compiled(program: &Program, name: &str, request: &Request, trips: i64) -> (Arc<Compiled>, [Value; 3]) {
    let function = program.function(name).expect("a function");
    let floats = |n: i64| {
        let elements = Elements::F64((1..=n).map(|i| 0.1 * i as f64).collect());
        Value::from(Array::new(Dims::new([n]), elements))
    };
    let args = [floats(12), floats(7), Value::I64(trips)];
    let types = args.each_ref().map(Value::ty);
    (function.compile(&types, request).unwrap_or_else(|e| panic!("{name}: {e}")), args)
}

/// Bytes of objects and arrays, and bytes of tapes, of such a run.
fn bytes(program: &Program, name: &str, request: &Request, trips: i64) -> (usize, usize) {
    let (compiled, args) = compiled(program, name, request, trips);
    let (_, usage) = compiled.native().expect("native code").run_with_usage(&args).expect("an answer");
    (usage.heap_bytes, usage.tape_bytes)
}

#[test]
fn loops_over_arrays_take_as_much_for_any_number_of_trips() {
    for program in programs() {
        for name in ["training", "fill", "momentum"] {
            let few = bytes(&program, name, &Request::Value, 10);
            assert_eq!(few, bytes(&program, name, &Request::Value, 1000), "{name}");
        }
    }
}

/// The most that is allocated at once.
#[test]
fn loops_forget_the_lists_that_nobody_holds() {
    for program in programs() {
        for name in ["window", "rows"] {
            let [few, many] = [100, 100_000].map(|trips| {
                let (compiled, args) = compiled(&program, name, &Request::Value, trips);
                allocation_counter::measure(|| drop(compiled.run(&args).expect("an answer"))).bytes_max
            });
            assert!(many < few + 1_000_000, "{name}: {few} bytes at once, {many} for many trips");
        }
    }
}

#[test]
fn gradients_of_loops_over_elements_keep_less_than_the_array_for_each_trip() {
    for program in programs() {
        let gradient = Request::Reverse(vec![0]);
        let [few, many] = [1000, 11000].map(|trips| bytes(&program, "fill", &gradient, trips));
        let more = (many.0 + many.1) - (few.0 + few.1);
        assert!(more <= 10000 * 64, "{more} bytes for 10000 trips");
    }
}
