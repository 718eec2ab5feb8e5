//! The exponential function and the natural logarithm.

use super::{Machine, SHIFTER, polynomial};
use std::f64::consts::{LOG2_E, SQRT_2};

/// Where eˣ is finite and not subnormal.
pub const EXP_RANGE: [f64; 2] = [-708.0, 709.0];

/// The positive normal numbers.
pub const LOG_RANGE: [f64; 2] = [f64::MIN_POSITIVE, f64::MAX];

/// ln 2 in two parts, the first of 33 bits: its products with exponents are exact.
const LN_2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];

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
    let series = polynomial(m, r, EXP);
    let tail = m.mul_add(series, square, r);

    // 2ᵏ has the exponent k.
    let (k, one) = (m.bits(shifted), m.word(1.0_f64.to_bits()));
    let exponent = m.shl(k, 52);
    let power = m.word_add(exponent, one);
    let power = m.float(power);
    m.mul_add(power, tail, power)
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
    // x = 2ᵏ·(1 + f), √½ ≤ 1 + f < √2: the bits above those of √½, whose exponent is -1, hold k.
    let bits = m.bits(x);
    let least = m.word((SQRT_2 / 2.0).to_bits());
    let above = m.word_sub(bits, least);
    let k = m.sar(above, 52);
    let exponent = m.shl(k, 52);
    let mantissa = m.word_sub(bits, exponent);
    let mantissa = m.float(mantissa);
    let k = m.convert(k);
    let (one, two) = (m.real(1.0), m.real(2.0));
    let f = m.sub(mantissa, one);

    // With s = f/(2+f): ln(1+f) = f - f²/2 + s·(f²/2 + R(s²)·s²).
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
    let low = m.mul(k, low);
    let small = m.mul_add(s, series, low);
    let rest = m.sub(halved, small);
    let rest = m.sub(rest, f);
    let high = m.mul(k, high);
    m.sub(high, rest)
}
