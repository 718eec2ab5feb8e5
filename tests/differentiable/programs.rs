//! Functions of Rust that are programs, too.

use gradus::differentiable;
use std::f64::consts::PI;

/// Gravity.
pub const G: f64 = 9.81;
/// Weights.
pub const WEIGHTS: [f64; 3] = [0.5, -1.0, 0.25];
/// How many.
pub const COUNT: usize = 4;

#[differentiable]
pub fn polynomial(x: f64) -> f64 {
    3.0 * x.powi(3) - 2.0 * x * x + x / 7.0 - 1.0
}

#[differentiable]
pub fn elementary(x: f64, y: f64) -> f64 {
    let waves = x.sin() * y.cos() + (x * y).tan() + x.atan2(y);
    let powers = x.exp() + y.ln() + x.powf(y) + (x + y).sqrt() + y.cbrt() + x.hypot(y) + x.exp_m1() + y.ln_1p();
    let bent = x.tanh() + x.sinh() + y.cosh() + x.asinh() + (1.0 + y).acosh() + (x / 10.0).atanh();
    let arcs = (x / 10.0).asin() + (y / 10.0).acos() + x.atan();
    waves + powers + bent + arcs + x.mul_add(y, 2.0) + x.recip() + y.log10() + y.log2() + y.log(3.0) + x.exp2() + x.to_radians()
}

#[differentiable]
pub fn rounding(x: f64) -> (f64, f64, f64, f64, f64, f64, f64) {
    (x.floor(), x.ceil(), x.round(), x.trunc(), x.fract(), x.round_ties_even(), x.signum())
}

#[differentiable]
pub fn extremes(x: f64, y: f64) -> (f64, f64, f64, f64, f64) {
    (x.max(y), x.min(y), x.max(1.0), f64::min(2.0, y), x.clamp(-1.0, 1.0))
}

#[differentiable]
pub fn tests(x: f64) -> (bool, bool, bool, bool) {
    (x.is_nan(), x.is_finite(), x.is_infinite(), x.is_sign_negative())
}

#[differentiable]
pub fn divided(a: i64, b: i64) -> (i64, i64, i64, i64) {
    (a / b, a % b, a.div_euclid(b), a.rem_euclid(b))
}

#[differentiable]
pub fn rests(a: f64, b: f64) -> (f64, f64) {
    (a % b, a.rem_euclid(b))
}

#[differentiable]
pub fn converted(x: f64) -> (i64, i32, u8, u32, i64) {
    (x as i64, x as i32, x as u8, x as u32, (x > 0.0) as i64)
}

#[differentiable]
pub fn wrapped(n: i64) -> (i32, u8, i16, f64) {
    (n as i32, n as u8, n as i16, n as f64)
}

#[differentiable]
pub fn integers(a: i64, b: i64) -> (i64, i64, i64, i64, i64) {
    ((a - b).abs(), a.pow(2), a.min(b), a.max(b), a.signum())
}

#[differentiable]
pub fn small(a: i32, b: i32) -> i32 {
    let product = a * b;
    product + a - b
}

#[differentiable]
pub fn difference(a: usize, b: usize) -> usize {
    a - b
}

#[differentiable]
pub fn branches(x: f64) -> f64 {
    if x > 2.0 {
        x * x
    } else if x > 0.0 && x < 1.0 || x == 1.5 {
        let twice = 2.0 * x;
        twice.sin()
    } else {
        -x
    }
}

#[differentiable]
pub fn early(x: f64, n: i64) -> f64 {
    if n < 0 {
        return x.exp();
    }
    let mut sum = 0.0;
    for k in 0..n {
        if k == 7 {
            return sum * 2.0;
        }
        if k % 2 == 1 {
            continue;
        }
        sum += x.powi(k as i32);
    }
    sum
}

#[differentiable]
pub fn collatz(mut n: u32) -> u32 {
    let mut steps = 0;
    while n != 1 {
        n = if n % 2 == 1 { 3 * n + 1 } else { n / 2 };
        steps += 1;
    }
    steps
}

#[differentiable]
pub fn newton(a: f64) -> f64 {
    let mut x = a;
    let root = loop {
        let next = 0.5 * (x + a / x);
        if (next - x).abs() < 1e-12 {
            break next;
        }
        x = next;
    };
    0.5 * (root + a / root)
}

#[differentiable]
pub fn nested_loops(x: f64, n: usize) -> f64 {
    let mut sum = 0.0;
    'rows: for i in 0..n {
        for j in (0..=i).rev() {
            if i * j > 12 {
                break 'rows;
            }
            if j == 3 {
                continue 'rows;
            }
            sum += x / (1.0 + (i * j) as f64);
        }
    }
    sum
}

#[differentiable]
pub fn steps(x: f64, n: usize) -> f64 {
    let mut sum = x;
    for i in (1..n).step_by(3) {
        sum = sum * x + i as f64;
    }
    for i in (0..n).step_by(2).rev() {
        sum -= x * i as f64;
    }
    sum
}

#[differentiable]
pub fn tuples(x: f64) -> (f64, (f64, i64)) {
    let (a, b) = (x * 2.0, x + 1.0);
    let mut pair = (a, (b, 3));
    pair.1.0 += a;
    pair.0 = pair.1.0 * pair.1.1 as f64;
    let (mut u, mut v) = (1.0, x);
    (u, v) = (v, u + v);
    pair.0 += u * v;
    pair
}

#[differentiable]
pub fn closures(x: f64, y: f64) -> f64 {
    let scale = 3.0;
    let f = |t| t * x + scale;
    let compose = |t: f64| -> f64 {
        let inner = f(t);
        inner.sin() + y
    };
    f(y) * compose(x)
}

#[differentiable]
pub fn integral(f: impl Fn(f64) -> f64, a: f64, b: f64, n: usize) -> f64 {
    let h = (b - a) / n as f64;
    let mut sum = 0.5 * (f(a) + f(b));
    for i in 1..n {
        sum += f(a + h * i as f64);
    }
    sum * h
}

#[differentiable]
pub fn area(w: f64, n: usize) -> f64 {
    integral(|t| (w * t).sin(), 0.0, PI, n) + integral(f64::sqrt, 0.0, w, n) + integral(square, 0.0, w, n)
}

#[differentiable]
pub fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
pub fn factorial(n: i64) -> i64 {
    if n < 2 { 1 } else { n * factorial(n - 1) }
}

#[differentiable]
pub fn power(x: f64, n: i64) -> f64 {
    if n == 0 {
        1.0
    } else if n % 2 == 0 {
        square(power(x, n / 2))
    } else {
        x * power(x, n - 1)
    }
}

#[differentiable]
pub fn even(x: f64, n: i64) -> f64 {
    if n == 0 { x } else { odd(x.sin(), n - 1) }
}

#[differentiable]
pub fn odd(x: f64, n: i64) -> f64 {
    if n == 0 { -x } else { even(x * x, n - 1) }
}

#[differentiable]
pub fn shadowed(x: f64) -> f64 {
    let x = x + 1.0;
    let y = {
        let x = x * x;
        x - 1.0
    };
    let x = x * y;
    x + y
}

#[differentiable]
pub fn later(x: f64, flag: bool) -> f64 {
    let (y, z);
    if flag {
        y = x * 2.0;
        z = y + 1.0;
    } else {
        z = 3.0;
        y = x - z;
    }
    y * y + z
}

#[differentiable]
pub fn constants(x: f64) -> f64 {
    let mut sum = x * G + f64::EPSILON + std::f64::consts::E;
    let mut i = 0;
    while i < WEIGHTS.len() {
        sum += WEIGHTS[i] * x.powi(i as i32);
        i += 1;
    }
    sum + [x; COUNT].iter().sum::<f64>()
}

#[differentiable]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += a[i] * b[i];
    }
    sum
}

#[differentiable]
pub fn iterators(a: &[f64], b: &[f64]) -> f64 {
    let dot: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    let weighted = a.iter().enumerate().map(|(i, x)| i as f64 * x).fold(0.0, |s, t| s + t);
    let largest = b.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let product: f64 = a.iter().rev().skip(1).take(2).product();
    let mut last = 0.0;
    a.iter().for_each(|x| last = 0.5 * last + x);
    let mut squares = 0.0;
    for (k, &x) in b.iter().enumerate().rev() {
        squares += k as f64 * x * x;
    }
    dot + weighted + largest + product + last + squares + (1..=3).map(|k| k as f64).sum::<f64>()
}

#[differentiable]
pub fn rosenbrock(x: [f64; 3]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        sum += 100.0 * (x[i + 1] - x[i] * x[i]).powi(2) + (1.0 - x[i]).powi(2);
    }
    sum
}

#[differentiable]
pub fn valley(x: &[f64]) -> f64 {
    (1..x.len()).map(|i| 100.0 * (x[i] - x[i - 1].powi(2)).powi(2) + (1.0 - x[i - 1]).powi(2)).sum()
}

#[differentiable]
pub fn rotated(v: [f64; 3], angle: f64) -> [f64; 3] {
    let (s, c) = angle.sin_cos();
    let m = [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]];
    let mut out = [0.0; 3];
    for i in 0..3 {
        for j in 0..3 {
            out[i] += m[i][j] * v[j];
        }
    }
    out
}

#[differentiable]
pub fn matrix(x: f64, n: usize) -> f64 {
    let mut m = [[0.0; 3]; 3];
    for i in 0..3 {
        m[i][i] = x;
        m[i][(i + 1) % 3] -= 0.5 * x * x;
    }
    let mut v = [1.0, x, 2.0];
    for _ in 0..n {
        let mut w = [0.0; 3];
        for (i, row) in m.iter().enumerate() {
            w[i] = dot(row, &v);
        }
        v = w;
    }
    let [a, b, c] = v;
    a + 2.0 * b + 3.0 * c
}

#[differentiable]
pub fn parts(x: &[f64]) -> f64 {
    dot(&x[1..], &x[..2]) + x[1..=2].iter().sum::<f64>()
}

#[differentiable]
pub fn bits(a: i64, b: u8, n: u32) -> (i64, i64, u8, u8, i16, i64) {
    let mut moved = (a >> n, b);
    moved.0 >>= 1;
    moved.0 ^= a & 0xff | b as i64;
    moved.1 <<= n % 8;
    moved.1 |= b & 5 ^ 3;
    let small = (a % 200) as i16;
    (moved.0, !a, moved.1, !b >> 2, small << (n % 16), (a.max(0) / 3).isqrt())
}
