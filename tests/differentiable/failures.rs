//! Functions of Rust that may fail.

use gradus::differentiable;

#[differentiable]
pub fn root(x: f64) -> f64 {
    assert!(x >= 0.0, "the root of {x}");
    x.sqrt()
}

#[differentiable]
pub fn inverse(x: f64, n: i64) -> f64 {
    assert!(x != 0.0 && n < 10);
    debug_assert_ne!(n, 7, "seven of {}", x);
    assert_eq!(n % 2, 0);
    assert_ne!((n, x > 0.0), (6, (n, 3) == (6, 3)));
    root(x) / x + n as f64
}

#[differentiable]
pub fn choice(x: f64, n: i64) -> f64 {
    let factor = match n {
        0 => 1.0,
        1 => x,
        2 => panic!("no {} of {x:.2}, {n:>3}", 2),
        3 => unimplemented!(),
        4 => todo!("the {0}th", n),
        _ => unreachable!(),
    };
    if matches!(n, 0 | 1 if x > 10.0) {
        panic!();
    }
    factor * x
}

#[differentiable]
pub fn total(x: &[f64]) -> f64 {
    let mut weights = vec![0.5; 3];
    weights.push(1.0);
    let mut sum = 0.0;
    for (i, v) in x.iter().enumerate() {
        if *v < 0.0 {
            panic!("the {i}th is negative")
        }
        sum += v * v * weights[i];
    }
    sum
}
