//! The exponential function and the natural logarithm.

use super::{Machine, SHIFTER, lost_in_sum, polynomial, with_sign};
use std::f64::consts::{LOG2_E, SQRT_2};

/// Where eˣ is finite and not subnormal.
pub const EXP_RANGE: [f64; 2] = [-708.0, 709.0];

/// Where ln(1 + x) has a formula: 1 + x is neither 0 nor near the greatest float.
pub const LOG1P_RANGE: [f64; 2] = [-1.0 + f64::EPSILON / 2.0, 1e300];

/// The positive normal numbers.
pub const LOG_RANGE: [f64; 2] = [f64::MIN_POSITIVE, f64::MAX];

/// ln 2 in two parts, the first of 33 bits: its products with exponents are exact.
pub const LN_2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];

/// (eʳ - 1 - r)/r² for |r| ≤ ln(2)/2: the polynomial with the least largest error of eʳ (Remez), which is 6·10⁻²⁰.
const EXP: [f64; 11] = [
    0.5,
    0.166_666_666_666_666_85,
    0.041_666_666_666_666_67,
    0.008_333_333_333_316_434,
    0.001_388_888_888_888_424_5,
    0.000_198_412_698_978_245_48,
    2.480_158_732_333_842_3e-5,
    2.755_723_446_216_758_6e-6,
    2.755_727_681_991_700_6e-7,
    2.511_251_290_901_194_7e-8,
    2.091_325_934_233_538e-9,
];

/// eˣ for a number in [`EXP_RANGE`].
#[inline(always)]
pub fn exp<M: Machine>(m: &mut M, x: M::Real) -> M::Real {
    // x = k·ln 2 + r, |r| ≤ ln(2)/2.
    let (shifter, inverse) = (m.real(SHIFTER), m.real(LOG2_E));
    let shifted = m.mul_add(x, inverse, shifter);
    let k = m.sub(shifted, shifter);
    let [high, low] = LN_2.map(|part| m.real(-part));
    let r = m.mul_add(k, high, x);
    let r = m.mul_add(k, low, r);

    let square = m.mul(r, r);
    let series = series_of_exp(m, r);
    let tail = m.mul_add(series, square, r);
    let power = power_of_two(m, shifted);
    m.mul_add(power, tail, power)
}

/// (eʳ - 1 - r)/r² for |r| ≤ ln(2)/2.
#[inline(always)]
pub fn series_of_exp<M: Machine>(m: &mut M, r: M::Real) -> M::Real {
    polynomial(m, r, EXP)
}

/// 2ᵏ, which has the exponent k, of the sum of k and [`SHIFTER`].
#[inline(always)]
pub fn power_of_two<M: Machine>(m: &mut M, shifted: M::Real) -> M::Real {
    let (k, one) = (m.bits(shifted), m.word(1.0_f64.to_bits()));
    let exponent = m.shl(k, 52);
    let power = m.word_add(exponent, one);
    m.float(power)
}

/// (ln(1+f) - ln(1-f) - 2f)/f by even powers of f, as in fdlibm (Sun Microsystems 1993).
const LOG: [f64; 7] = [
    6.666_666_666_666_735e-1,
    3.999_999_999_940_942e-1,
    2.857_142_874_366_239e-1,
    2.222_219_843_214_978_4e-1,
    1.818_357_216_161_805e-1,
    1.531_383_769_920_937_3e-1,
    1.479_819_860_511_658_6e-1,
];

/// The natural logarithm of a number in [`LOG_RANGE`].
#[inline(always)]
pub fn log<M: Machine>(m: &mut M, x: M::Real) -> M::Real {
    let ([k, _], f) = exponent_and_fraction(m, x);
    let k = m.convert(k);
    log_of_parts(m, k, f, None)
}

/// ln(1 + x) for a number in [`LOG1P_RANGE`].
#[inline(always)]
pub fn log1p<M: Machine>(m: &mut M, x: M::Real) -> M::Real {
    // 1 + x = sum + lost.
    let one = m.real(1.0);
    let sum = m.add(one, x);
    let lost = lost_in_sum(m, [one, x], sum);

    // That is 2ᵏ·(1 + f + excess).
    let ([k, exponent], fraction) = exponent_and_fraction(m, sum);
    let ones = m.word(1.0_f64.to_bits());
    let scale = m.word_sub(ones, exponent);
    let scale = m.float(scale);
    let lost = m.mul(lost, scale);
    let f = m.add(fraction, lost);
    let excess = m.sub(fraction, f);
    let excess = m.add(excess, lost);
    let k = m.convert(k);
    let value = log_of_parts(m, k, f, Some(excess));
    with_sign(m, value, x)
}

/// k, also as an exponent's bits, and f with x = 2ᵏ·(1 + f), √½ ≤ 1 + f < √2.
#[inline(always)]
fn exponent_and_fraction<M: Machine>(m: &mut M, x: M::Real) -> ([M::Word; 2], M::Real) {
    // The bits above those of √½, whose exponent is -1, hold k.
    let bits = m.bits(x);
    let least = m.word((SQRT_2 / 2.0).to_bits());
    let above = m.word_sub(bits, least);
    let k = m.sar(above, 52);
    let exponent = m.shl(k, 52);
    let mantissa = m.word_sub(bits, exponent);
    let mantissa = m.float(mantissa);
    let one = m.real(1.0);
    ([k, exponent], m.sub(mantissa, one))
}

/// ln(2ᵏ·(1 + f + excess)), √½ ≤ 1 + f < √2, where the excess matters to first order only.
#[inline(always)]
fn log_of_parts<M: Machine>(m: &mut M, k: M::Real, f: M::Real, excess: Option<M::Real>) -> M::Real {
    // With s = f/(2+f): ln(1+f) = f - f²/2 + s·(f²/2 + R(s²)·s²).
    let two = m.real(2.0);
    let sum = m.add(f, two);
    let s = m.div(f, sum);
    let square = m.mul(s, s);
    let series = polynomial(m, square, LOG);
    let series = m.mul(series, square);
    let half = m.real(0.5);
    let halved = m.mul(f, half);
    let halved = m.mul(halved, f);
    let series = m.add(halved, series);
    let [high, low] = LN_2.map(|part| m.real(part));
    let mut low = m.mul(k, low);
    if let Some(excess) = excess {
        // excess/(1 + f), roughly.
        let less = m.mul(f, excess);
        let part = m.sub(excess, less);
        low = m.add(low, part);
    }
    let small = m.mul_add(s, series, low);
    let rest = m.sub(halved, small);
    let rest = m.sub(rest, f);
    let high = m.mul(k, high);
    m.sub(high, rest)
}
