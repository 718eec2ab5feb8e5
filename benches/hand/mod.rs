//! The gradients of the workloads as one would write them by hand in Rust: value first, then what has a derivative.

pub mod primal;

/// `sin(cos x)`.
pub fn sincos(x: f64) -> (f64, f64) {
    let c = x.cos();
    (c.sin(), -c.cos() * x.sin())
}

/// xⁿ by a counted loop.
pub fn power(x: f64, n: i64) -> (f64, f64) {
    let (mut r, mut d) = (1.0, 0.0);
    for _ in 0..n {
        d = d * x + r;
        r *= x;
    }
    (r, d)
}

/// The least power of x that reaches a bound.
pub fn power_until(x: f64, bound: f64) -> (f64, f64) {
    let (mut r, mut d) = (1.0, 0.0);
    while r < bound {
        d = d * x + r;
        r *= x;
    }
    (r, d)
}

/// xⁿ by recursion.
pub fn power_recursive(x: f64, n: i64) -> (f64, f64) {
    if n == 0 {
        return (1.0, 0.0);
    }
    let (r, d) = power_recursive(x, n - 1);
    (x * r, r + x * d)
}

/// The cube root by Newton's method.
pub fn newton(a: f64) -> (f64, f64) {
    let (mut x, mut d) = (a, 1.0);
    loop {
        let f = x * x * x - a;
        if f.abs() <= 1e-9 * a {
            return (x, d);
        }
        let slope = 3.0 * x * x;
        let step = f / slope;
        d -= (slope * d - 1.0 - step * 6.0 * x * d) / slope;
        x -= step;
    }
}

/// The logistic map in nested loops.
pub fn nested(x: f64, n: i64) -> (f64, f64) {
    let (mut y, mut dy, mut total, mut d) = (0.5, 0.0, 0.0, 0.0);
    for i in 0..n {
        for _ in 0..i {
            dy = y * (1.0 - y) + x * (1.0 - 2.0 * y) * dy;
            y = x * y * (1.0 - y);
        }
        total += y;
        d += dy;
        y *= 0.5;
        dy *= 0.5;
    }
    (total, d)
}

/// The power series ∑ xⁿ⁻¹⁻ᵏ/(k + 1).
pub fn series(x: f64, n: i64) -> (f64, f64) {
    let (mut r, mut d) = (0.0, 0.0);
    for k in 0..n {
        d = d * x + r;
        r = r * x + 1.0 / (k + 1) as f64;
    }
    (r, d)
}

/// A polynomial: the derivatives in its coefficients, the first of which is that of the highest power, and in x.
pub fn horner<const N: usize>(c: &[f64; N], x: f64) -> (f64, ([f64; N], f64)) {
    let (mut y, mut d, mut powers, mut power) = (0.0, 0.0, [0.0; N], 1.0);
    for &a in c {
        d = d * x + y;
        y = y * x + a;
    }
    for p in powers.iter_mut().rev() {
        *p = power;
        power *= x;
    }
    (y, (powers, d))
}

/// The determinant of five columns: by Laplace's theorem, minors of the first two rows times those of the other three.
pub fn determinant(m: &[[f64; 5]; 5]) -> (f64, [[f64; 5]; 5]) {
    let (mut det, mut g) = (0.0, [[0.0; 5]; 5]);
    for a in 0..5 {
        for b in a + 1..5 {
            let mut rest = (0..5).filter(|&i| i != a && i != b);
            let [c, d, e] = std::array::from_fn(|_| rest.next().expect("three columns are left"));
            let sign = if (a + b) % 2 == 1 { 1.0 } else { -1.0 };
            let two = m[a][0] * m[b][1] - m[b][0] * m[a][1];
            let (u, v, w) = (cross(&m[d], &m[e]), cross(&m[e], &m[c]), cross(&m[c], &m[d]));
            let three = sign * (m[c][2] * u[0] + m[c][3] * u[1] + m[c][4] * u[2]);
            det += two * three;
            g[a][0] += m[b][1] * three;
            g[b][1] += m[a][0] * three;
            g[b][0] -= m[a][1] * three;
            g[a][1] -= m[b][0] * three;
            for (column, minors) in [(c, u), (d, v), (e, w)] {
                for row in 0..3 {
                    g[column][2 + row] += sign * two * minors[row];
                }
            }
        }
    }
    (det, g)
}

/// The cross product of the last three entries of two columns.
fn cross(p: &[f64; 5], q: &[f64; 5]) -> [f64; 3] {
    [p[3] * q[4] - p[4] * q[3], p[4] * q[2] - p[2] * q[4], p[2] * q[3] - p[3] * q[2]]
}

/// The price of a call, and its derivatives in spot, strike, rate, volatility and time: delta to theta in closed form.
pub fn black_scholes(spot: f64, strike: f64, rate: f64, volatility: f64, time: f64) -> (f64, [f64; 5]) {
    let cdf = |d: f64| 0.5 * (1.0 + libm::erf(d * std::f64::consts::FRAC_1_SQRT_2));
    let root = time.sqrt();
    let d1 = ((spot / strike).ln() + (rate + 0.5 * volatility * volatility) * time) / (volatility * root);
    let d2 = d1 - volatility * root;
    let (n1, n2, discount) = (cdf(d1), cdf(d2), (-rate * time).exp());
    let density = spot * (-0.5 * d1 * d1).exp() / (2.0 * std::f64::consts::PI).sqrt();
    let owed = strike * discount * n2;
    let theta = density * volatility / (2.0 * root) + rate * owed;
    (spot * n1 - owed, [n1, -discount * n2, time * owed, density * root, theta])
}

const H: f64 = 1e-3;

/// Lorenz's equations.
fn rates(y: [f64; 3], p: [f64; 3]) -> [f64; 3] {
    [p[0] * (y[1] - y[0]), y[0] * (p[1] - y[2]) - y[1], y[0] * y[1] - p[2] * y[2]]
}

/// `y + h k`, for each of three.
fn step(y: [f64; 3], h: f64, k: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| y[i] + h * k[i])
}

/// The states and slopes of one Runge-Kutta step.
fn stages(y: [f64; 3], p: [f64; 3]) -> ([[f64; 3]; 4], [[f64; 3]; 4]) {
    let k1 = rates(y, p);
    let y2 = step(y, 0.5 * H, k1);
    let k2 = rates(y2, p);
    let y3 = step(y, 0.5 * H, k2);
    let k3 = rates(y3, p);
    let y4 = step(y, H, k3);
    ([y, y2, y3, y4], [k1, k2, k3, rates(y4, p)])
}

/// Pulls the cotangent of a slope back: to the state, and onto those of the parameters.
fn pullback(y: [f64; 3], p: [f64; 3], k: [f64; 3], gp: &mut [f64; 3]) -> [f64; 3] {
    gp[0] += (y[1] - y[0]) * k[0];
    gp[1] += y[0] * k[1];
    gp[2] -= y[2] * k[2];
    [-p[0] * k[0] + (p[1] - y[2]) * k[1] + y[1] * k[2], p[0] * k[0] - k[1] + y[0] * k[2], -y[0] * k[1] - p[2] * k[2]]
}

/// The sum of the end state of Lorenz's equations by RK4; an adjoint that keeps the states alone, in a buffer that is kept too.
pub fn lorenz(start: [f64; 3], p: [f64; 3], steps: i64, states: &mut Vec<[f64; 3]>) -> (f64, [f64; 6]) {
    let mut y = start;
    states.clear();
    for _ in 0..steps {
        states.push(y);
        let (_, [k1, k2, k3, k4]) = stages(y, p);
        y = std::array::from_fn(|i| y[i] + H / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    let (mut b, mut gp) = ([1.0; 3], [0.0; 3]);
    for &state in states.iter().rev() {
        let ([y1, y2, y3, y4], _) = stages(state, p);
        let s4 = pullback(y4, p, b.map(|b| H / 6.0 * b), &mut gp);
        let s3 = pullback(y3, p, std::array::from_fn(|i| H / 3.0 * b[i] + H * s4[i]), &mut gp);
        let s2 = pullback(y2, p, std::array::from_fn(|i| H / 3.0 * b[i] + 0.5 * H * s3[i]), &mut gp);
        let s1 = pullback(y1, p, std::array::from_fn(|i| H / 6.0 * b[i] + 0.5 * H * s2[i]), &mut gp);
        b = std::array::from_fn(|i| b[i] + s1[i] + s2[i] + s3[i] + s4[i]);
    }
    (y.iter().sum(), [b[0], b[1], b[2], gp[0], gp[1], gp[2]])
}

/// The derivative of order K - 1 of `exp(x sin x)/(1 + x²)`, by K terms of its Taylor series.
pub fn order<const K: usize>(x: f64) -> f64 {
    let (mut s, mut c, mut p, mut e, mut q) = ([0.0; K], [0.0; K], [0.0; K], [0.0; K], [0.0; K]);
    (s[0], c[0]) = x.sin_cos();
    p[0] = s[0] * x;
    e[0] = p[0].exp();
    let inverse = 1.0 / (1.0 + x * x);
    q[0] = e[0] * inverse;
    let mut factorial = 1.0;
    for k in 1..K {
        let n = k as f64;
        (s[k], c[k]) = (c[k - 1] / n, -s[k - 1] / n);
        p[k] = s[k] * x + s[k - 1];
        e[k] = (1..=k).map(|j| j as f64 * p[j] * e[k - j]).sum::<f64>() / n;
        let before = if k > 1 { q[k - 2] } else { 0.0 };
        q[k] = (e[k] - 2.0 * x * q[k - 1] - before) * inverse;
        factorial *= n;
    }
    q[K - 1] * factorial
}
