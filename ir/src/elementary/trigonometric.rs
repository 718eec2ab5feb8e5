//! Sine and cosine.

use super::{Machine, SHIFTER, polynomial};
use std::f64::consts::FRAC_2_PI;

/// Where the multiple of π/2 has at most 20 bits, so that its products with the parts of π/2 are exact.
pub const RANGE: [f64; 2] = [-1e6, 1e6];

/// The square of a number that is nearest to the multiple 0 of π/2, by the rounding of any machine.
pub const NEAR: f64 = 0.6;

/// π/2 in three parts, the first two of 33 bits.
const PARTS: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];

/// sin r ≈ r - r³(S₀ + S₁r² + …) and cos r ≈ 1 - r²/2 + r⁴(C₀ + C₁r² + …) for |r| ≤ π/4, as in fdlibm (Sun Microsystems 1993).
const SINE: [f64; 6] = [
    1.666_666_666_666_663_2e-1,
    -8.333_333_333_322_49e-3,
    1.984_126_982_985_795e-4,
    -2.755_731_370_707_007e-6,
    2.505_076_025_340_686_3e-8,
    -1.589_690_995_211_55e-10,
];
const COSINE: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// Sine and cosine of a number with a square of at most [`NEAR`]: the bits of [`sin_cos`], which has nothing to reduce here.
#[inline(always)]
pub fn sin_cos_near<M: Machine>(m: &mut M, x: M::Real, square: M::Real) -> [M::Real; 2] {
    reduced(m, x, square, None)
}

/// Sine and cosine of r - excess, |r| ≤ π/4, where the excess matters to first order only.
#[inline(always)]
fn reduced<M: Machine>(m: &mut M, r: M::Real, square: M::Real, excess: Option<M::Real>) -> [M::Real; 2] {
    let half = m.real(-0.5);
    let halved = m.mul(square, half);

    // r - (excess·(1 - r²/2) + r³(…)): the difference keeps the sign of a zero.
    let [s, sines @ ..] = SINE;
    let (s, cube) = (m.real(s), m.mul(square, r));
    let sines = polynomial(m, square, sines);
    let series = m.mul_add(sines, square, s);
    let tail = match excess {
        Some(excess) => m.mul_add(halved, excess, excess),
        None => m.real(0.0),
    };
    let tail = m.mul_add(series, cube, tail);
    let sine = m.sub(r, tail);

    // 1 - r²/2 is rounded; to what it lost comes the effect of the excess, r·excess.
    let one = m.real(1.0);
    let leading = m.add(halved, one);
    let lost = m.sub(one, leading);
    let mut lost = m.add(lost, halved);
    if let Some(excess) = excess {
        lost = m.mul_add(r, excess, lost);
    }
    let cosines = polynomial(m, square, COSINE);
    let fourth = m.mul(square, square);
    let tail = m.mul_add(cosines, fourth, lost);
    let cosine = m.add(leading, tail);
    [sine, cosine]
}

/// Sine and cosine of a number in `RANGE`.
#[inline(always)]
pub fn sin_cos<M: Machine>(m: &mut M, x: M::Real) -> [M::Real; 2] {
    // x = k·π/2 + r - excess, |r| ≤ π/4, and the excess is what r has won by rounding.
    let (shifter, inverse) = (m.real(SHIFTER), m.real(FRAC_2_PI));
    let shifted = m.mul_add(x, inverse, shifter);
    let k = m.sub(shifted, shifter);
    let [minus_high, minus_middle] = [-PARTS[0], -PARTS[1]].map(|part| m.real(part));
    let [middle, low] = [PARTS[1], PARTS[2]].map(|part| m.real(part));
    let first = m.mul_add(k, minus_high, x);
    let r = m.mul_add(k, minus_middle, first);
    let excess = m.sub(r, first);
    let excess = m.mul_add(k, middle, excess);
    let excess = m.mul_add(k, low, excess);

    let square = m.mul(r, r);
    let [sine, cosine] = reduced(m, r, square, Some(excess));

    // k modulo 4 says which of the two is which, and the signs: sin(x + π/2) = cos x, cos(x + π/2) = -sin x.
    let k = m.bits(shifted);
    let (one, two) = (m.word(1), m.word(2));
    let odd = m.and(k, one);
    let zero = m.word(0);
    let swap = m.word_sub(zero, odd);
    let (sine, cosine) = (m.bits(sine), m.bits(cosine));
    let difference = m.xor(sine, cosine);
    let difference = m.and(difference, swap);
    let sign = m.and(k, two);
    let sign = m.shl(sign, 62);
    let next = m.word_add(k, one);
    let next = m.and(next, two);
    let next = m.shl(next, 62);
    [(sine, sign), (cosine, next)].map(|(value, sign)| {
        let signed = m.xor(difference, sign);
        let value = m.xor(value, signed);
        m.float(value)
    })
}
