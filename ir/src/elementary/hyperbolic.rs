//! The exponential function near zero, and the hyperbolic tangent.

use super::exponential::{LN_2, power_of_two, series_of_exp};
use super::{Machine, SHIFTER, lost_in_sum, with_sign};
use std::f64::consts::LOG2_E;

/// Where tanh x is not ±1, and a little beyond.
pub const TANH_RANGE: [f64; 2] = [-20.0, 20.0];

/// eˣ - 1 for a number in [`super::exponential::EXP_RANGE`], as a float and what it has lost by rounding.
#[inline(always)]
fn expm1_parts<M: Machine>(m: &mut M, x: M::Real) -> [M::Real; 2] {
    // x = k·ln 2 + r + excess, |r| ≤ ln(2)/2, and the excess is what r has lost by rounding.
    let (shifter, inverse) = (m.real(SHIFTER), m.real(LOG2_E));
    let shifted = m.mul_add(x, inverse, shifter);
    let k = m.sub(shifted, shifter);
    let [high, low] = LN_2.map(|part| m.real(-part));
    let first = m.mul_add(k, high, x);
    let r = m.mul_add(k, low, first);
    let excess = m.sub(first, r);
    let excess = m.mul_add(k, low, excess);

    // eʳ - 1 = p + rest; the excess adds eʳ times itself.
    let square = m.mul(r, r);
    let series = series_of_exp(m, r);
    let p = m.mul_add(series, square, r);
    let rest = m.sub(r, p);
    let rest = m.mul_add(series, square, rest);
    let excess = m.mul_add(excess, p, excess);
    let rest = m.add(rest, excess);

    // 2ᵏ·(1 + p + rest) - 1: of 2ᵏ - 1 and 2ᵏ·p the first is greater, or zero.
    let (power, one) = (power_of_two(m, shifted), m.real(1.0));
    let less = m.sub(power, one);
    let value = m.mul_add(power, p, less);
    let lost = m.sub(less, value);
    let lost = m.mul_add(power, p, lost);
    [value, m.mul_add(power, rest, lost)]
}

/// eˣ - 1 for a number in [`super::exponential::EXP_RANGE`].
#[inline(always)]
pub fn expm1<M: Machine>(m: &mut M, x: M::Real) -> M::Real {
    let [value, lost] = expm1_parts(m, x);
    let value = m.add(value, lost);
    with_sign(m, value, x)
}

/// The hyperbolic tangent of a number in [`TANH_RANGE`].
#[inline(always)]
pub fn tanh<M: Machine>(m: &mut M, x: M::Real) -> M::Real {
    // t/(t + 2), where t + lost = e²ˣ - 1 for the size of x.
    let zero = m.real(0.0);
    let size = with_sign(m, x, zero);
    let double = m.add(size, size);
    let [t, lost] = expm1_parts(m, double);
    let two = m.real(2.0);
    let divisor = m.add(t, two);
    let quotient = m.div(t, divisor);

    // What the quotient has lost: the remainder through the divisor, and 1/(t + 2) = (1 - tanh)/2.
    let minus = m.sub(zero, quotient);
    let remainder = m.mul_add(minus, divisor, t);
    let remainder = m.add(remainder, lost);
    let divisor_lost = lost_in_sum(m, [two, t], divisor);
    let divisor_lost = m.add(divisor_lost, lost);
    let remainder = m.mul_add(minus, divisor_lost, remainder);
    let half = m.real(0.5);
    let inverse = m.mul_add(minus, half, half);
    let value = m.mul_add(remainder, inverse, quotient);
    with_sign(m, value, x)
}
