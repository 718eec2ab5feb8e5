//! Kernels beside loops written by hand, which the compiler has vectorised for the same processor.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use gradus_backend::kernels::{Builder, Kernel, Reduction};
use gradus_ir::elementary::{Host, fused, sin_cos_formula};
use gradus_ir::{DType, Prim};
use std::hint::black_box;
use std::time::Duration;

/// Eight floats, aligned as the buffers of arrays are.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([f64; 8]);

/// An array with a line behind it.
struct Array {
    lines: Vec<Line>,
    n: usize,
}

impl Array {
    fn new(n: usize) -> Array {
        let line = |i: usize| Line(std::array::from_fn(|lane| ((8 * i + lane) as f64 * 0.37) % 6.0 - 3.0));
        Array { lines: (0..n / 8 + 2).map(line).collect(), n }
    }

    fn elements(&mut self) -> &mut [f64] {
        // SAFETY: a line is eight floats and nothing else.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.n) }
    }

    fn at(&mut self) -> *mut u8 {
        self.lines.as_mut_ptr().cast()
    }
}

/// A loop, compiled for AVX-512 if the processor has it.
macro_rules! by_hand {
    ($name:ident, $avx512:ident($($x:ident: $T:ty),*) $(-> $R:ty)? $body:block) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512dq,avx512vl,fma")]
        fn $avx512($($x: $T),*) $(-> $R)? $body

        fn $name($($x: $T),*) $(-> $R)? {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") && is_x86_feature_detected!("avx512vl") {
                // SAFETY: the processor has the features.
                return unsafe { $avx512($($x),*) };
            }
            $body
        }
    };
}

by_hand!(chain, chain_avx512(y: &mut [f64], x: &[f64]) {
    for (y, &x) in y.iter_mut().zip(x) {
        let [sin, cos] = sin_cos_formula(&mut Host::<true>, x);
        *y = x * sin * cos;
    }
});

by_hand!(sum_of_squares, sum_of_squares_avx512(x: &[f64]) -> f64 {
    let (groups, rest) = x.as_chunks::<32>();
    let mut lanes = [0.0; 32];
    for group in groups {
        for (lane, x) in lanes.iter_mut().zip(group) {
            *lane += x * x;
        }
    }
    lanes.iter().sum::<f64>() + rest.iter().map(|x| x * x).sum::<f64>()
});

by_hand!(add, add_avx512(y: &mut [f64], a: &[f64], b: &[f64]) {
    for ((y, a), b) in y.iter_mut().zip(a).zip(b) {
        *y = a + b;
    }
});

fn run(kernel: &Kernel, inputs: &[u64], output: *mut u8) {
    // SAFETY: the callers' arrays have as many elements as their kernels take.
    unsafe { kernel.run(black_box(inputs).as_ptr(), &raw const output) };
}

fn kernels(c: &mut Criterion) {
    assert!(fused(), "the loops by hand are for a processor with a fused multiply-add");
    let mut group = c.benchmark_group("kernels");
    group.warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_millis(700)).sample_size(20);

    let n = 10_000;
    let mut builder = Builder::new(&[n]);
    let x = builder.array(DType::F64, 0, &[1]);
    let (sin, cos) = (builder.apply(Prim::Sin, &[x]), builder.apply(Prim::Cos, &[x]));
    let product = builder.apply(Prim::Mul, &[x, sin]);
    let product = builder.apply(Prim::Mul, &[product, cos]);
    builder.store(product);
    group.bench_function("x sin x cos x, compiled", |b| b.iter(|| builder.clone().finish()));
    let kernel = builder.finish();
    let (mut x, mut y) = (Array::new(n), Array::new(n));
    let (inputs, output) = ([x.at() as u64], y.at());
    group.bench_function("x sin x cos x", |b| b.iter(|| run(&kernel, &inputs, output)));
    group.bench_function("x sin x cos x, by hand", |b| b.iter(|| chain(black_box(y.elements()), black_box(x.elements()))));

    for n in [100, 1000, 10_000, 100_000, 1_000_000] {
        let mut builder = Builder::new(&[n]);
        let x = builder.array(DType::F64, 0, &[1]);
        let square = builder.apply(Prim::Mul, &[x, x]);
        builder.reduce(Reduction::Sum, square, &[false], true);
        let kernel = builder.finish();
        let (mut x, mut sum) = (Array::new(n), 0.0_f64);
        let inputs = [x.at() as u64];
        let output = (&raw mut sum).cast();
        group.bench_function(BenchmarkId::new("sum of squares", n), |b| b.iter(|| run(&kernel, &inputs, output)));
        group.bench_function(BenchmarkId::new("sum of squares, by hand", n), |b| {
            b.iter(|| sum_of_squares(black_box(x.elements())))
        });
    }

    // What a call costs.
    let n = 8;
    let mut builder = Builder::new(&[n]);
    let [a, b] = [builder.array(DType::F64, 0, &[1]), builder.array(DType::F64, 0, &[1])];
    let sum = builder.apply(Prim::Add, &[a, b]);
    builder.store(sum);
    let kernel = builder.finish();
    let (mut a, mut b, mut y) = (Array::new(n), Array::new(n), Array::new(n));
    let (inputs, output) = ([a.at() as u64, b.at() as u64], y.at());
    group.bench_function("a + b, 8 elements", |bench| bench.iter(|| run(&kernel, &inputs, output)));
    let mut by_hand = || add(black_box(y.elements()), black_box(a.elements()), black_box(b.elements()));
    group.bench_function("a + b, 8 elements, by hand", |bench| bench.iter(&mut by_hand));
}

criterion_group!(benches, kernels);
criterion_main!(benches);
