//! The error function.

use super::exponential::exp;
use super::{Machine, polynomial, with_sign};

/// Where erf x is not ±1, and a little beyond.
pub const RANGE: [f64; 2] = [-6.0, 6.0];

/// Below, a polynomial has the smaller error; above, 1 - erfc x.
const BORDER: f64 = 1.0;

/// erf x / x - 1 by powers of x², up to [`BORDER`]: interpolated at Chebyshev's points, with an error of 6·10⁻¹⁹.
const NEAR: [f64; 13] = [
    0.128_379_167_095_512_6,
    -0.376_126_389_031_837_54,
    0.112_837_916_709_551_1,
    -0.026_866_170_645_123_77,
    0.005_223_977_625_302_319,
    -0.000_854_832_700_993_079_2,
    0.000_120_553_322_096_225_87,
    -1.492_562_234_733_901_4e-5,
    1.646_144_355_371_687_2e-6,
    -1.635_507_936_513_643_4e-7,
    1.469_217_749_869_331_8e-8,
    -1.149_900_016_132_664e-9,
    6.171_515_791_452_808e-11,
];

/// exp(x²)·erfc x by powers of (x - 2.5)/(x + 2.5), from [`BORDER`] to 6: interpolated at Chebyshev's points, with an error of 10⁻¹⁷.
const FAR: [f64; 16] = [
    0.210_806_364_061_143_56,
    -0.371_736_733_948_973_2,
    0.251_713_193_217_456,
    -0.125_033_052_378_855_54,
    0.039_922_539_074_783_8,
    -0.003_993_701_164_146_986_5,
    -0.002_642_365_927_759_658,
    0.000_875_915_401_916_885_5,
    0.000_228_379_558_966_054_15,
    -0.000_128_876_496_153_171_98,
    -3.417_222_927_355_303_5e-5,
    1.860_971_231_461_746_4e-5,
    7.484_801_178_526_28e-6,
    -2.284_217_309_434_134_5e-6,
    -1.562_525_850_774_315_8e-6,
    8.134_380_709_229_634e-8,
];

/// The error function of a number in [`RANGE`].
#[inline(always)]
pub fn erf<M: Machine>(m: &mut M, x: M::Real) -> M::Real {
    let zero = m.real(0.0);
    let size = with_sign(m, x, zero);
    let square = m.mul(size, size);

    let series = polynomial(m, square, NEAR);
    let near = m.mul_add(size, series, size);

    // exp(-x²), and the part of x² that is lost by rounding.
    let minus = m.sub(zero, square);
    let lost = m.mul_add(size, size, minus);
    let power = exp(m, minus);
    let minus_power = m.sub(zero, power);
    let minus_power = m.mul_add(power, lost, minus_power);
    let center = m.real(2.5);
    let (below, above) = (m.sub(size, center), m.add(size, center));
    let t = m.div(below, above);
    let series = polynomial(m, t, FAR);
    let one = m.real(1.0);
    let far = m.mul_add(minus_power, series, one);

    // All bits, if the size is below the border.
    let border = m.word(BORDER.to_bits());
    let bits = m.bits(size);
    let difference = m.word_sub(bits, border);
    let is_near = m.sar(difference, 63);
    let (near, far) = (m.bits(near), m.bits(far));
    let differ = m.xor(near, far);
    let differ = m.and(differ, is_near);
    let value = m.xor(far, differ);
    let value = m.float(value);
    with_sign(m, value, x)
}
