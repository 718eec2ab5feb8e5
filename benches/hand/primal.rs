//! The workloads themselves as one would write them by hand in Rust.

use super::{H, cross, rates, step};

/// `sin(cos x)`.
pub fn sincos(x: f64) -> f64 {
    x.cos().sin()
}

/// xⁿ by a counted loop.
pub fn power(x: f64, n: i64) -> f64 {
    (0..n).fold(1.0, |r, _| r * x)
}

/// The least power of x that reaches a bound.
pub fn power_until(x: f64, bound: f64) -> f64 {
    let mut r = 1.0;
    while r < bound {
        r *= x;
    }
    r
}

/// xⁿ by recursion.
pub fn power_recursive(x: f64, n: i64) -> f64 {
    if n == 0 { 1.0 } else { x * power_recursive(x, n - 1) }
}

/// The cube root by Newton's method.
pub fn newton(a: f64) -> f64 {
    let mut x = a;
    loop {
        let f = x * x * x - a;
        if f.abs() <= 1e-9 * a {
            return x;
        }
        x -= f / (3.0 * x * x);
    }
}

/// The logistic map in nested loops.
pub fn nested(x: f64, n: i64) -> f64 {
    let (mut y, mut total) = (0.5, 0.0);
    for i in 0..n {
        for _ in 0..i {
            y = x * y * (1.0 - y);
        }
        total += y;
        y *= 0.5;
    }
    total
}

/// The power series ∑ xⁿ⁻¹⁻ᵏ/(k + 1).
pub fn series(x: f64, n: i64) -> f64 {
    (0..n).fold(0.0, |r, k| r * x + 1.0 / (k + 1) as f64)
}

/// A polynomial, the coefficient of the highest power first.
pub fn horner<const N: usize>(c: &[f64; N], x: f64) -> f64 {
    c.iter().fold(0.0, |y, a| y * x + a)
}

/// The determinant of five columns: by Laplace's theorem, minors of the first two rows times those of the other three.
pub fn determinant(m: &[[f64; 5]; 5]) -> f64 {
    let mut det = 0.0;
    for a in 0..5 {
        for b in a + 1..5 {
            let mut rest = (0..5).filter(|&i| i != a && i != b);
            let [c, d, e] = std::array::from_fn(|_| rest.next().expect("three columns are left"));
            let u = cross(&m[d], &m[e]);
            let sign = if (a + b) % 2 == 1 { 1.0 } else { -1.0 };
            det += sign * (m[a][0] * m[b][1] - m[b][0] * m[a][1]) * (m[c][2] * u[0] + m[c][3] * u[1] + m[c][4] * u[2]);
        }
    }
    det
}

/// The price of a call.
pub fn black_scholes(spot: f64, strike: f64, rate: f64, volatility: f64, time: f64) -> f64 {
    let cdf = |d: f64| 0.5 * (1.0 + libm::erf(d * std::f64::consts::FRAC_1_SQRT_2));
    let root = volatility * time.sqrt();
    let d1 = ((spot / strike).ln() + (rate + 0.5 * volatility * volatility) * time) / root;
    spot * cdf(d1) - strike * (-rate * time).exp() * cdf(d1 - root)
}

/// The sum of the end state of Lorenz's equations by RK4.
pub fn lorenz(mut y: [f64; 3], p: [f64; 3], steps: i64) -> f64 {
    for _ in 0..steps {
        let k1 = rates(y, p);
        let k2 = rates(step(y, 0.5 * H, k1), p);
        let k3 = rates(step(y, 0.5 * H, k2), p);
        let k4 = rates(step(y, H, k3), p);
        y = std::array::from_fn(|i| y[i] + H / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    y.iter().sum()
}

/// `exp(x sin x)/(1 + x²)`.
pub fn nthd(x: f64) -> f64 {
    (x.sin() * x).exp() / (1.0 + x * x)
}
