//! Gradients by each strategy and in forward mode, beside the function itself and a gradient written by hand.

mod hand;

use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main, measurement::WallTime};
use gradus::{Data, Engine, Function, Options, Request, Source, Strategy, Value};
use std::cell::RefCell;
use std::hint::black_box;
use std::time::Duration;

type Group<'c> = BenchmarkGroup<'c, WallTime>;

/// How much two answers may differ, relative to the largest entry.
const TOLERANCE: f64 = 1e-10;

const SCALAR: &str = include_str!("programs/scalar.py");
const TUPLES: &str = include_str!("programs/tuples.py");
const LORENZ: &str = include_str!("programs/lorenz.py");
const BLACK_SCHOLES: &str = include_str!("programs/black_scholes.py");
const ORDERS: &str = include_str!("programs/orders.py");

fn group<'c>(c: &'c mut Criterion, name: &str) -> Group<'c> {
    let mut group = c.benchmark_group(name);
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(700)).sample_size(20).nresamples(2000);
    group
}

/// A function of one of the programs.
fn function(text: &str, name: &str) -> Function {
    let program = Engine::default().parse(Source::new("programs", text)).expect("the program parses");
    program.function(name).expect("the program has the function")
}

/// The floats of an answer, in order.
fn floats(v: &Value, out: &mut Vec<f64>) {
    match v {
        Value::F64(x) => out.push(*x),
        Value::Tuple(items) => items.iter().for_each(|v| floats(v, out)),
        _ => {}
    }
}

/// Asserts that an answer is the one found by hand.
fn assert_close<R: Data>(what: &str, answer: &R, by_hand: &R) {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    floats(&answer.to_value(), &mut a);
    floats(&by_hand.to_value(), &mut b);
    let scale = b.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let close = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| (a - b).abs() <= TOLERANCE * scale);
    assert!(close, "{what}: {a:?}, by hand {b:?}");
}

/// Measures what a function gives on request, after checking it.
fn answer<A: Data + Copy, R: Data>(g: &mut Group, id: &str, f: &Function, request: &Request, args: A, by_hand: &R) {
    let native = f.native::<A, R>(request).expect("the function compiles");
    assert_close(id, &native.call(args).expect("no trap"), by_hand);
    g.bench_function(id, |b| b.iter(|| native.call(black_box(args))));
}

/// Measures a function, its gradient in what it has one in by hand, and the gradient by hand. Forward mode goes once for each
/// float, so it is measured where these are one or two.
fn gradients<A, R>(c: &mut Criterion, name: &str, f: &Function, args: A, by_hand: impl Fn(A) -> (f64, R))
where
    A: Data + Copy,
    R: Data,
    (f64, R): Data,
{
    let expected = by_hand(args);
    let Value::Tuple(gradient) = expected.1.to_value() else { unreachable!("a gradient has an entry for each argument") };
    let wrt: Vec<usize> = (0..gradient.len()).filter(|&i| !matches!(gradient[i], Value::None)).collect();
    let mut inputs = Vec::new();
    floats(&Value::Tuple(gradient), &mut inputs);
    let mut g = group(c, name);
    answer(&mut g, "primal", f, &Request::Value, args, &expected.0);
    for (id, strategy) in [("closure", Strategy::Closure), ("stack", Strategy::Stack)] {
        let f = f.with(Options { plan: strategy.into(), ..Options::default() });
        answer(&mut g, id, &f, &Request::Gradient(wrt.clone()), args, &expected);
    }
    if inputs.len() <= 2 {
        answer(&mut g, "forward", f, &Request::Forward(wrt, None), args, &expected);
    }
    g.bench_function("hand", |b| b.iter(|| by_hand(black_box(args))));
}

fn loops(c: &mut Criterion) {
    let scalar = |name| function(SCALAR, name);
    let counted = |by_hand: fn(f64, i64) -> (f64, f64)| {
        move |(x, n): (f64, i64)| {
            let (y, dx) = by_hand(x, n);
            (y, (dx, ()))
        }
    };
    gradients(c, "sincos", &scalar("sincos"), (0.7,), |(x,)| {
        let (y, dx) = hand::sincos(x);
        (y, (dx,))
    });
    gradients(c, "pow1000", &scalar("power"), (1.0007, 1000), counted(hand::power));
    gradients(c, "powdyn", &scalar("power_until"), (1.007, 1000.0), |(x, bound)| {
        let (y, dx) = hand::power_until(x, bound);
        (y, (dx, ()))
    });
    gradients(c, "pow_recursive1000", &scalar("power_recursive"), (1.0007, 1000), counted(hand::power_recursive));
    gradients(c, "newton", &scalar("newton"), (2.0,), |(a,)| {
        let (y, da) = hand::newton(a);
        (y, (da,))
    });
    gradients(c, "nested30", &scalar("nested"), (2.9, 30), counted(hand::nested));
    gradients(c, "fold1000", &scalar("series"), (0.9, 1000), counted(hand::series));
    let start = (1.0, 1.2, 0.9, 10.0, 28.0, 8.0 / 3.0, 10_000);
    let states = RefCell::new(Vec::new());
    gradients(c, "lorenz_rk4_10000", &function(LORENZ, "lorenz"), start, |(x, y, z, sigma, rho, beta, steps)| {
        let (sum, [x, y, z, sigma, rho, beta]) = hand::lorenz([x, y, z], [sigma, rho, beta], steps, &mut states.borrow_mut());
        (sum, (x, y, z, sigma, rho, beta, ()))
    });
}

fn straight_lines(c: &mut Criterion) {
    let coefficients: [f64; 65] = std::array::from_fn(|i| 1.0 / (i as f64 - 20.5));
    gradients(c, "horner64", &function(TUPLES, "horner"), (coefficients, 0.9), |(c, x)| hand::horner(&c, x));
    let columns: [[f64; 5]; 5] = std::array::from_fn(|i| std::array::from_fn(|j| ((7 * i + 3 * j + i * j) % 11) as f64 - 4.5));
    gradients(c, "determinant5", &function(TUPLES, "determinant"), (columns,), |(m,)| {
        let (det, cofactors) = hand::determinant(&m);
        (det, (cofactors,))
    });
    let option = (100.0, 110.0, 0.05, 0.2, 0.75);
    gradients(c, "black_scholes", &function(BLACK_SCHOLES, "call"), option, |(spot, strike, rate, volatility, time)| {
        let (price, [delta, dual_delta, rho, vega, theta]) = hand::black_scholes(spot, strike, rate, volatility, time);
        (price, (delta, dual_delta, rho, vega, theta))
    });
}

/// One derivative of order N, by `grad` of `grad` and by `jvp` of `jvp`.
fn orders(c: &mut Criterion) {
    let by_hand: [fn(f64) -> f64; 8] = [
        hand::order::<2>,
        hand::order::<3>,
        hand::order::<4>,
        hand::order::<5>,
        hand::order::<6>,
        hand::order::<7>,
        hand::order::<8>,
        hand::order::<9>,
    ];
    for (n, by_hand) in (1..).zip(by_hand) {
        let (mut g, x) = (group(c, &format!("nthd{n}")), 0.8);
        let expected = by_hand(x);
        for (id, name) in [("reverse", format!("reverse{n}")), ("forward", format!("forward{n}"))] {
            answer(&mut g, id, &function(ORDERS, &name), &Request::Value, (x,), &expected);
        }
        g.bench_function("hand", |b| b.iter(|| by_hand(black_box(x))));
    }
}

criterion_group!(benches, loops, straight_lines, orders);
criterion_main!(benches);
