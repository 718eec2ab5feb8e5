//! Gradients by each strategy and in forward mode, beside the function itself and what is written by hand.

mod hand;
mod workloads;

use criterion::{Criterion, criterion_group, criterion_main};
use gradus::to_value;
use std::hint::black_box;
use std::time::Duration;
use workloads::{Answer, Arguments, Visitor, Workload};

/// Measures by criterion: a group for each workload.
struct Measure<'c>(&'c mut Criterion);

impl Visitor for Measure<'_> {
    fn visit<A: Arguments, R: Answer>(&mut self, w: &Workload, args: A, value: impl Fn(A) -> f64, derivative: impl Fn(A) -> R) {
        let mut group = self.0.benchmark_group(&w.name);
        group
            .warm_up_time(Duration::from_millis(200))
            .measurement_time(Duration::from_millis(700))
            .sample_size(20)
            .nresamples(2000);
        let primal = w.checked::<A, f64>(&w.value, args, &value(args).into()).expect("the function runs");
        group.bench_function("primal", |b| b.iter(|| primal.call(black_box(args))));
        let by_hand = to_value::<R>(derivative(args));
        for way in &w.derivatives {
            let typed = w.checked::<A, R>(way, args, &by_hand).expect("the derivative runs");
            group.bench_function(way.id, |b| b.iter(|| typed.call(black_box(args))));
        }
        group.bench_function("hand primal", |b| b.iter(|| value(black_box(args))));
        group.bench_function("hand", |b| b.iter(|| derivative(black_box(args))));
    }
}

fn gradients(c: &mut Criterion) {
    workloads::visit(&mut Measure(c));
}

criterion_group!(benches, gradients);
criterion_main!(benches);
