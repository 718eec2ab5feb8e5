//! Loops over the elements of arrays, from a thousand to a million: a gradient takes time in proportion to their number.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gradus::{Array, Dims, Elements, Engine, Options, Request, Source, Strategy, Value};
use std::hint::black_box;
use std::time::Duration;

const PROGRAM: &str = "
import math
import numpy as np

def dot(x, y):
    s = 0.0
    for i in range(len(x)):
        s += x[i] * y[i]
    return s

def filter(x, y):
    z = np.zeros_like(x)
    z[0] = x[0]
    for i in range(1, len(x)):
        z[i] = 0.5 * z[i - 1] + math.sin(x[i]) * y[i]
    s = 0.0
    for i in range(len(x)):
        s += z[i] * z[i]
    return s
";

/// A value and gradients in both arguments.
type Gradient = (f64, [Vec<f64>; 2]);

/// A function of [`PROGRAM`] and its gradient by hand.
type Case = (&'static str, fn(&[f64], &[f64]) -> Gradient);

const CASES: [Case; 2] = [("dot", dot), ("filter", filter)];

fn dot(x: &[f64], y: &[f64]) -> Gradient {
    let value = x.iter().zip(y).map(|(x, y)| x * y).sum();
    (value, [y.to_vec(), x.to_vec()])
}

fn filter(x: &[f64], y: &[f64]) -> Gradient {
    let n = x.len();
    let mut z = vec![x[0]; n];
    for i in 1..n {
        z[i] = 0.5 * z[i - 1] + x[i].sin() * y[i];
    }
    let s = z.iter().map(|z| z * z).sum();
    let (mut gx, mut gy, mut gz) = (vec![0.0; n], vec![0.0; n], 0.0);
    for i in (1..n).rev() {
        gz = 0.5 * gz + 2.0 * z[i];
        (gx[i], gy[i]) = (gz * y[i] * x[i].cos(), gz * x[i].sin());
    }
    gx[0] = 0.5 * gz + 2.0 * z[0];
    (s, [gx, gy])
}

fn array(v: &[f64]) -> Value {
    Array::new(Dims::new([v.len() as i64]), Elements::F64(v.to_vec())).into()
}

/// The floats of an answer, in order.
fn floats(v: &Value) -> Vec<f64> {
    match v {
        Value::F64(v) => vec![*v],
        Value::Array(v) => v.floats().expect("floats").to_vec(),
        Value::Tuple(items) => items.iter().flat_map(floats).collect(),
        other => panic!("no floats: {other:?}"),
    }
}

/// Whether two answers agree to a part in 1e9 of their largest float.
fn agree(found: &Value, expected: &Value) -> bool {
    let [found, expected] = [found, expected].map(floats);
    let largest = expected.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    found.len() == expected.len() && found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= 1e-9 * largest)
}

fn elements(c: &mut Criterion) {
    for (name, by_hand) in CASES {
        let mut group = c.benchmark_group(format!("elements/{name}"));
        group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(700)).sample_size(10);
        for n in [1_000, 10_000, 100_000, 1_000_000] {
            group.throughput(Throughput::Elements(n as u64));
            let [x, y] = [0.37, 0.73].map(|step| (0..n).map(|i| (i as f64 * step).sin()).collect::<Vec<f64>>());
            let (value, gradients) = by_hand(&x, &y);
            let expected = Value::tuple([value.into(), Value::tuple(gradients.map(|g| array(&g)))]);
            for (id, strategy) in [("closure", Strategy::Closure), ("stack", Strategy::Stack)] {
                let engine = Engine::new(Options { plan: strategy.into(), ..Options::default() });
                let program = engine.parse(Source::new("elements.py", PROGRAM)).expect("correct Python");
                let args = [array(&x), array(&y)];
                let types = args.each_ref().map(Value::ty);
                let function = program.function(name).expect("a function");
                let gradient = function.compile(&types, &Request::Reverse(vec![0, 1])).expect("a gradient");
                assert!(agree(&gradient.run(&args).expect("an answer"), &expected), "{name} of {n} elements, {id}");
                let mut run = gradient.native().expect("native code").prepare(&args).expect("arguments");
                group.bench_function(BenchmarkId::new(id, n), |b| b.iter(&mut run));
            }
            group.bench_function(BenchmarkId::new("hand", n), |b| b.iter(|| by_hand(black_box(&x), black_box(&y))));
        }
    }
}

criterion_group!(benches, elements);
criterion_main!(benches);
