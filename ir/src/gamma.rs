//! Derivatives of the logarithm of the gamma function.

use std::f64::consts::PI;

/// B₂ₖ / (2k)!, k from 1.
const BERNOULLI: [f64; 12] = [
    8.333_333_333_333_333e-2,
    -1.388_888_888_888_889e-3,
    3.306_878_306_878_307e-5,
    -8.267_195_767_195_768e-7,
    2.087_675_698_786_81e-8,
    -5.284_190_138_687_493e-10,
    1.338_253_653_068_468e-11,
    -3.389_680_296_322_583e-13,
    8.586_062_056_277_845e-15,
    -2.174_868_698_558_062e-16,
    5.509_002_828_360_229_5e-18,
    -1.395_446_468_581_252_3e-19,
];

/// The derivative of the digamma function of order `n`, the digamma function itself for zero.
///
/// Reflection of what is below zero, recurrence up to where the Euler-Maclaurin series (NIST DLMF 5.15.8, 5.11.2) has converged.
/// The order is rounded, so that its derivative is zero where it is whole.
/// NaN for an order that is negative or above a hundred, and at the poles of even order; infinite at those of odd order.
pub fn polygamma(n: f64, x: f64) -> f64 {
    let n = n.round();
    if !(0.0..=100.0).contains(&n) || x.is_nan() || x == f64::NEG_INFINITY {
        return f64::NAN;
    }
    let order = n as usize;
    if x <= 0.0 && x == x.floor() {
        // The digamma function has a sign at zero, by that of zero.
        return match order {
            0 if x == 0.0 => -f64::INFINITY.copysign(x),
            _ if order % 2 == 1 => f64::INFINITY,
            _ => f64::NAN,
        };
    }
    match order {
        // The last terms of the series are no numbers there.
        1.. if x == f64::INFINITY => -sign(order) * 0.0,
        0 if x < 0.0 => digamma(1.0 - x) - PI * cotangent(0, x),
        0 => digamma(x),
        _ if x < 0.0 => sign(order) * series(order, 1.0 - x) - PI * cotangent(order, x),
        _ => series(order, x),
    }
}

fn sign(n: usize) -> f64 {
    if n.is_multiple_of(2) { 1.0 } else { -1.0 }
}

/// The derivative of order `n` of the cotangent of πx: a polynomial in the cotangent, since its derivative is -π (1 + c²).
fn cotangent(n: usize, x: f64) -> f64 {
    // Around the halves, where it is zero, by the distance from them.
    let r = x - x.round();
    let c = if r.abs() > 0.25 { (PI * (0.5_f64.copysign(r) - r)).tan() } else { 1.0 / (PI * r).tan() };
    let mut polynomial = vec![0.0, 1.0];
    for _ in 0..n {
        let mut next = vec![0.0; polynomial.len() + 1];
        for (power, a) in polynomial.iter().enumerate().skip(1) {
            let slope = -PI * a * power as f64;
            next[power - 1] += slope;
            next[power + 1] += slope;
        }
        polynomial = next;
    }
    polynomial.iter().rev().fold(0.0, |sum, a| sum * c + a)
}

/// ψ(x) for x > 0. Near its zero, which is not a double, it is the distance to that times a series.
fn digamma(x: f64) -> f64 {
    // The zero, and what the double leaves of it.
    const ZERO: f64 = 1.461_632_144_968_362_2;
    const LEFT: f64 = 9.549_995_429_965_697e-17;
    let d = (x - ZERO) - LEFT;
    if d.abs() < 0.25 {
        // Taylor's: ψ⁽ᵏ⁾(zero) / k!, for k from 1.
        const TAYLOR: [f64; 20] = [
            0.9676722454476212,
            -0.4427631689835921,
            0.258499760955651,
            -0.16394270544240652,
            0.10782405069126237,
            -0.07219956125645471,
            0.04880428816414311,
            -0.03316112647484736,
            0.022597648232218104,
            -0.01542476590494896,
            0.010538791616612175,
            -0.007204534386356869,
            0.004926781395729853,
            -0.003369801655439328,
            0.002305126326734928,
            -0.0015769367714301972,
            0.0010788252019162967,
            -0.0007380709389960052,
            0.000504953265834602,
            -0.0003454680251063077,
        ];
        return TAYLOR.iter().rev().fold(0.0, |sum, a| (sum + a) * d);
    }
    let (mut x, mut sum) = (x, 0.0);
    while x < 12.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let mut factorial = 1.0;
    let mut power = square;
    let mut tail = 0.0;
    for (k, b) in BERNOULLI.iter().enumerate() {
        // B₂ₖ / 2k.
        tail += b * factorial * power;
        factorial *= ((2 * k + 2) * (2 * k + 3)) as f64;
        power *= square;
    }
    sum + (x.ln() - 0.5 / x - tail)
}

/// ψ⁽ⁿ⁾(x) for n ≥ 1 and x > 0: (-1)ⁿ⁺¹ n! Σ 1 / (x + k)ⁿ⁺¹. Powers are of quotients, which neither overflow nor vanish before it does.
fn series(n: usize, x: f64) -> f64 {
    let scale: f64 = (1..=n).map(|k| k as f64 / x).product();
    let (mut y, mut sum) = (x, 0.0);
    while y < 12.0 + n as f64 {
        sum += (x / y).powi(n as i32) / y;
        y += 1.0;
    }
    let power = (x / y).powi(n as i32);
    let mut tail = power / n as f64 + 0.5 * power / y;
    // (2k + n - 1)! / n!, times (x/y)ⁿ y⁻²ᵏ.
    let mut term = (n + 1) as f64 * power / (y * y);
    for (k, b) in BERNOULLI.iter().enumerate() {
        tail += b * term;
        let m = (2 * k + 2 + n) as f64;
        term *= m * (m + 1.0) / (y * y);
    }
    -sign(n) * scale * (sum + tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By mpmath, of 40 digits.
    #[test]
    fn values_are_right_to_the_last_digits() {
        let cases = [
            (0.0, 1e-05, -100000.57719921567),
            (0.0, 0.1, -10.423754940411076),
            (0.0, 0.5, -1.9635100260214235),
            (0.0, 1.0, -0.5772156649015329),
            (0.0, 1.25, -0.22745353337626542),
            (0.0, 1.461632, -1.4028186996973047e-07),
            (0.0, 1.5, 0.03648997397857652),
            (0.0, 1.7, 0.2085478748734939),
            (0.0, 3.3, 1.0348224890596216),
            (0.0, 11.9, 2.4339335368825377),
            (0.0, 50.0, 3.901989673427892),
            (0.0, 10000000000.0, 23.025850929890456),
            (0.0, -0.5, 0.03648997397857652),
            (0.0, -7.3, 4.33730730551005),
            (1.0, 0.001, 1000001.6425331958),
            (1.0, 0.5, 4.934802200544679),
            (1.0, 1.0, 1.6449340668482264),
            (1.0, 7.2, 0.14897878164889403),
            (1.0, 100.0, 0.010050166663333571),
            (1.0, 100000000.0, 1.000000005e-08),
            (1.0, -1.4, 10.396413752535013),
            (1.0, -20.25, 19.69102535100871),
            (2.0, 0.3, -75.27253658872604),
            (2.0, 2.5, -0.2362040516417274),
            (2.0, 30.0, -0.0011487652037286),
            (2.0, -2.25, 123.89694977406016),
            (3.0, 1.5, 1.4090910340024372),
            (5.0, 0.7, 1025.3283541434719),
            (5.0, 12.0, 0.00011820829051081491),
            (3.0, -1.3, 768.7206571990426),
            (2.0, -10.5, -0.008247469050652217),
            (4.0, -100.5, -5.765411100832097e-08),
            (99.0, 10000.0, 9.47363132831789e-243),
            (1.0, 1e-150, 1e300),
        ];
        for (n, x, expected) in cases {
            let found = polygamma(n, x);
            assert!((found - expected).abs() <= 1e-14 * expected.abs(), "polygamma({n}, {x}) is {found}, not {expected}");
        }
    }

    #[test]
    fn poles_and_what_is_no_order() {
        assert_eq!(polygamma(0.0, 0.0), f64::NEG_INFINITY);
        assert_eq!(polygamma(1.0, -2.0), f64::INFINITY);
        assert_eq!((polygamma(0.0, f64::INFINITY), polygamma(1.0, f64::INFINITY)), (f64::INFINITY, 0.0));
        assert!(polygamma(0.0, -3.0).is_nan());
        assert!(polygamma(-1.0, 2.0).is_nan());
        assert!(polygamma(0.0, f64::NAN).is_nan());
    }
}
