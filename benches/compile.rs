//! From source text to machine code, in a process that is warm.

use criterion::{Criterion, criterion_group, criterion_main};
use gradus::{Engine, Error, Request, Source, Type};
use std::time::Duration;

const SCALAR: &str = include_str!("programs/scalar.py");
const LORENZ: &str = include_str!("programs/lorenz.py");
const ORDERS: &str = include_str!("programs/orders.py");

/// Compiles a function of a text for arguments of these types.
fn compile(text: &str, function: &str, types: &[Type], request: &Request) -> Result<(), Error> {
    let program = Engine::default().parse(Source::new("programs", text))?;
    program.function(function)?.compile(types, request).map(drop)
}

fn compilation(c: &mut Criterion) {
    let lorenz = [vec![Type::F64; 6], vec![Type::I64]].concat();
    let cases = [
        ("pow_gradient", SCALAR, "power", vec![Type::F64, Type::I64], Request::Gradient(vec![0])),
        ("lorenz_gradient", LORENZ, "lorenz", lorenz, Request::Gradient((0..6).collect())),
        ("nthd8_reverse", ORDERS, "reverse8", vec![Type::F64], Request::Value),
        ("nthd8_forward", ORDERS, "forward8", vec![Type::F64], Request::Value),
    ];
    let mut g = c.benchmark_group("compile");
    g.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3)).sample_size(10);
    for (id, text, function, types, request) in cases {
        compile(text, function, &types, &request).expect("it compiles");
        g.bench_function(id, |b| b.iter(|| compile(text, function, &types, &request)));
    }
}

criterion_group!(benches, compilation);
criterion_main!(benches);
