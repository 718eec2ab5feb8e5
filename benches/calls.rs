//! What a call costs above the work that it asks for: gradients of small functions, beside what is written by hand, which is not
//! inlined either.

use criterion::{Criterion, criterion_group, criterion_main};
use gradus::{Data, Engine, Source, Typed};
use std::hint::black_box;

const PROGRAM: &str = "
def cubic(x): return x * x * x
def rosenbrock(x, y): return (1.0 - x) ** 2 + 100.0 * (y - x * x) ** 2
def quotient(x, n): return x / n if n > 0 else x * n
def power(x, n):
    r = 1.0
    for i in range(n):
        r = r * x
    return r
def dot(x, y): return (x * y).sum()
";

#[inline(never)]
fn cubic(x: f64) -> (f64, f64) {
    (x * x * x, 3.0 * x * x)
}

#[inline(never)]
fn rosenbrock(x: f64, y: f64) -> (f64, (f64, f64)) {
    let (a, b) = (1.0 - x, y - x * x);
    (a * a + 100.0 * b * b, (-2.0 * a - 400.0 * b * x, 200.0 * b))
}

#[inline(never)]
fn quotient(x: f64, n: i64) -> (f64, f64) {
    if n > 0 { (x / n as f64, 1.0 / n as f64) } else { (x * n as f64, n as f64) }
}

/// By a tape, as the adjoint of the loop does it.
#[inline(never)]
fn power(x: f64, n: i64, tape: &mut Vec<f64>) -> (f64, f64) {
    tape.clear();
    let mut r = 1.0;
    for _ in 0..n {
        tape.push(r);
        r *= x;
    }
    let (mut dx, mut dr) = (0.0, 1.0);
    while let Some(r) = tape.pop() {
        dx += dr * r;
        dr *= x;
    }
    (r, dx)
}

fn calls(c: &mut Criterion) {
    let program = Engine::default().parse(Source::new("calls.py", PROGRAM)).expect("correct Python");
    let function = |name| program.function(name).expect("a function");
    fn compiled<A: gradus::Args, R: Data>(typed: Result<Typed<A, R>, gradus::Error>) -> Typed<A, R> {
        typed.expect("the types fit")
    }

    let f = compiled(function("cubic").value_and_grad::<f64>());
    assert_eq!(f.call(2.0).expect("an answer"), cubic(2.0));
    c.bench_function("cubic", |b| b.iter(|| f.call(black_box(2.0))));
    c.bench_function("cubic by hand", |b| b.iter(|| cubic(black_box(2.0))));

    let f = compiled(function("rosenbrock").value_and_grad::<(f64, f64)>());
    assert_eq!(f.call((2.0, 3.0)).expect("an answer"), rosenbrock(2.0, 3.0));
    c.bench_function("rosenbrock", |b| b.iter(|| f.call(black_box((2.0, 3.0)))));
    c.bench_function("rosenbrock by hand", |b| b.iter(|| rosenbrock(black_box(2.0), black_box(3.0))));

    let f = compiled(function("quotient").value_and_grad::<(f64, i64)>());
    let (value, (dx, ())) = f.call((2.0, 4)).expect("an answer");
    assert_eq!((value, dx), quotient(2.0, 4));
    c.bench_function("quotient", |b| b.iter(|| f.call(black_box((2.0, 4_i64)))));
    c.bench_function("quotient by hand", |b| b.iter(|| quotient(black_box(2.0), black_box(4))));

    let reverse = function("power").with(gradus::Options { plan: gradus::Strategy::Stack.into(), ..gradus::Options::default() });
    let (forward, reverse) = (compiled(function("power").value_and_grad::<(f64, i64)>()), compiled(reverse.value_and_grad()));
    let mut tape = Vec::new();
    for n in [0, 3, 10, 100] {
        for f in [&forward, &reverse] {
            let (value, (dx, ())) = f.call((1.5, n)).expect("an answer");
            let by_hand = power(1.5, n, &mut tape);
            // What goes forwards adds in another order.
            assert!(value == by_hand.0 && (dx - by_hand.1).abs() <= 1e-14 * dx, "{n}: {dx} for {}", by_hand.1);
        }
        c.bench_function(&format!("power{n}, forward"), |b| b.iter(|| forward.call(black_box((1.5, n)))));
        c.bench_function(&format!("power{n}, tape"), |b| b.iter(|| reverse.call(black_box((1.5, n)))));
        c.bench_function(&format!("power{n}, tape by hand"), |b| b.iter(|| power(black_box(1.5), black_box(n), &mut tape)));
    }

    let f = compiled(function("dot").value_and_grad::<(Vec<f64>, Vec<f64>)>());
    let (x, y) = (vec![1.0; 100], vec![2.0; 100]);
    assert_eq!(f.call((&x, &y)).expect("an answer"), (200.0, (y.clone(), x.clone())));
    c.bench_function("dot100", |b| b.iter(|| f.call((black_box(&x), black_box(&y)))));
    let by_hand = |x: &[f64], y: &[f64]| (x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>(), (y.to_vec(), x.to_vec()));
    c.bench_function("dot100 by hand", |b| b.iter(|| by_hand(black_box(&x), black_box(&y))));
}

criterion_group! {
    name = benches;
    config = Criterion::default().warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1)).sample_size(30);
    targets = calls
}
criterion_main!(benches);
