//! Functions with parameters for lengths and functions, and items within functions.

use gradus::differentiable;

#[differentiable]
pub fn sum<const N: usize>(x: [f64; N], weights: &[[f64; 2]; N]) -> f64 {
    let mut total = 0.0;
    for i in 0..N {
        total += x[i] * weights[i][1] / N as f64;
    }
    total
}

#[differentiable]
pub fn mean<const N: usize>(x: [f64; N]) -> f64 {
    let mut total = 0.0;
    for v in x {
        total += v * v / N as f64;
    }
    total
}

#[differentiable]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

#[differentiable]
fn integral<F>(f: F, to: f64, n: usize) -> f64
where
    F: Fn(f64) -> f64,
{
    let h = to / n as f64;
    (0..n).map(|k| f((k as f64 + 0.5) * h)).sum::<f64>() * h
}

#[differentiable]
pub fn applied(x: f64, n: usize) -> f64 {
    let shifted = |t: f64| t * t + x;
    twice(shifted, x) + integral(|t| twice(f64::sin, t), x, n) + sum([x, 2.0 * x, 1.0], &[[0.0, x], [1.0, 2.0], [0.0, 1.0]])
}

#[differentiable]
pub fn within(x: f64, n: i64) -> f64 {
    const SCALE: f64 = 0.5;
    const STEPS: usize = 3;
    fn power(x: f64, n: i64) -> f64 {
        fn half(n: i64) -> i64 {
            n / 2
        }
        if n == 0 {
            1.0
        } else if n % 2 == 0 {
            power(x * x, half(n))
        } else {
            x * power(x, n - 1)
        }
    }
    let mut y = power(x, n);
    for _ in 0..STEPS {
        y = y * SCALE + x;
    }
    y
}

#[differentiable]
fn part(x: f64) -> f64 {
    x * 3.0
}

/// The function within is that of its block alone.
#[differentiable]
pub fn hidden(x: f64) -> f64 {
    let y = {
        fn part(x: f64) -> f64 {
            x * x
        }
        part(x)
    };
    y + part(x)
}
