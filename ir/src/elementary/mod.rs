//! Elementary functions, each written once for everything that computes them.
//!
//! A formula is a function over a [`Machine`]: numbers of Rust in the interpreter and in folding, values of the code generator in
//! compiled code, which takes the formula inline. All do the same operations in the same order, so all give the same bits on one
//! machine. Between machines with and without a fused multiply-add they may differ by a unit in the last place.
//!
//! A formula holds in a range, without the special cases of infinities, subnormals or huge arguments; beyond it stands the
//! function of the platform's library. Errors are below one unit in the last place where multiply-add is fused and below two where
//! it is not (tests compare with correctly rounded values). The methods are those of the textbooks: J.-M. Muller, *Elementary
//! Functions*, 3rd ed. 2016: reduction after Cody and Waite in several parts (§11.2), and polynomials (§3, §4).

mod error_function;
mod exponential;
mod host;
mod hyperbolic;
mod trigonometric;

use crate::Prim;
pub use host::fused;

/// Arithmetic in which formulas are written.
pub trait Machine {
    /// A float of 64 bits.
    type Real: Copy;
    /// Its bits, or an integer.
    type Word: Copy;

    /// A constant.
    fn real(&mut self, v: f64) -> Self::Real;
    /// `a + b`.
    fn add(&mut self, a: Self::Real, b: Self::Real) -> Self::Real;
    /// `a - b`.
    fn sub(&mut self, a: Self::Real, b: Self::Real) -> Self::Real;
    /// `a · b`.
    fn mul(&mut self, a: Self::Real, b: Self::Real) -> Self::Real;
    /// `a / b`.
    fn div(&mut self, a: Self::Real, b: Self::Real) -> Self::Real;
    /// `a · b + c`, rounded once where [`fused`] says so, twice elsewhere.
    fn mul_add(&mut self, a: Self::Real, b: Self::Real, c: Self::Real) -> Self::Real;
    /// The bits of a float.
    fn bits(&mut self, a: Self::Real) -> Self::Word;
    /// The float of some bits.
    fn float(&mut self, a: Self::Word) -> Self::Real;
    /// The float nearest to an integer.
    fn convert(&mut self, a: Self::Word) -> Self::Real;
    /// A constant.
    fn word(&mut self, v: u64) -> Self::Word;
    /// `a + b`, modulo 2⁶⁴.
    fn word_add(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// `a - b`, modulo 2⁶⁴.
    fn word_sub(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// The bits that are in both.
    fn and(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// The bits that are in one of both.
    fn xor(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Bits moved up.
    fn shl(&mut self, a: Self::Word, by: u32) -> Self::Word;
    /// Bits moved down; the sign stays.
    fn sar(&mut self, a: Self::Word, by: u32) -> Self::Word;
}

/// A function of one number that has a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Elementary {
    /// eˣ.
    Exp,
    /// eˣ - 1.
    Expm1,
    /// The natural logarithm.
    Log,
    /// ln(1 + x).
    Log1p,
    /// The sine.
    Sin,
    /// The cosine.
    Cos,
    /// The hyperbolic tangent.
    Tanh,
    /// The error function.
    Erf,
}

impl Elementary {
    /// All of them.
    pub const ALL: [Elementary; 8] = [
        Elementary::Exp,
        Elementary::Expm1,
        Elementary::Log,
        Elementary::Log1p,
        Elementary::Sin,
        Elementary::Cos,
        Elementary::Tanh,
        Elementary::Erf,
    ];

    /// The function that a primitive is, if it has a formula.
    pub fn of(prim: Prim) -> Option<Elementary> {
        Elementary::ALL.into_iter().find(|f| f.prim() == prim)
    }

    /// The primitive that this function is.
    pub fn prim(self) -> Prim {
        match self {
            Elementary::Exp => Prim::Exp,
            Elementary::Expm1 => Prim::Expm1,
            Elementary::Log => Prim::Log,
            Elementary::Log1p => Prim::Log1p,
            Elementary::Sin => Prim::Sin,
            Elementary::Cos => Prim::Cos,
            Elementary::Tanh => Prim::Tanh,
            Elementary::Erf => Prim::Erf,
        }
    }

    /// The least and the greatest number for which the formula holds.
    pub fn range(self) -> [f64; 2] {
        match self {
            Elementary::Exp | Elementary::Expm1 => exponential::EXP_RANGE,
            Elementary::Log => exponential::LOG_RANGE,
            Elementary::Log1p => exponential::LOG1P_RANGE,
            Elementary::Sin | Elementary::Cos => trigonometric::RANGE,
            Elementary::Tanh => hyperbolic::TANH_RANGE,
            Elementary::Erf => error_function::RANGE,
        }
    }

    /// The formula at `x`, which is in [`Elementary::range`].
    #[inline(always)]
    pub fn formula<M: Machine>(self, m: &mut M, x: M::Real) -> M::Real {
        match self {
            Elementary::Exp => exponential::exp(m, x),
            Elementary::Expm1 => hyperbolic::expm1(m, x),
            Elementary::Log => exponential::log(m, x),
            Elementary::Log1p => exponential::log1p(m, x),
            Elementary::Sin => trigonometric::sin_cos(m, x)[0],
            Elementary::Cos => trigonometric::sin_cos(m, x)[1],
            Elementary::Tanh => hyperbolic::tanh(m, x),
            Elementary::Erf => error_function::erf(m, x),
        }
    }

    /// The function where the formula does not hold.
    pub fn beyond(self) -> extern "C" fn(f64) -> f64 {
        extern "C" fn exp(x: f64) -> f64 {
            x.exp()
        }
        extern "C" fn expm1(x: f64) -> f64 {
            x.exp_m1()
        }
        extern "C" fn log(x: f64) -> f64 {
            x.ln()
        }
        extern "C" fn log1p(x: f64) -> f64 {
            x.ln_1p()
        }
        extern "C" fn sin(x: f64) -> f64 {
            x.sin()
        }
        extern "C" fn cos(x: f64) -> f64 {
            x.cos()
        }
        extern "C" fn tanh(x: f64) -> f64 {
            x.tanh()
        }
        extern "C" fn erf(x: f64) -> f64 {
            libm::erf(x)
        }
        match self {
            Elementary::Exp => exp,
            Elementary::Expm1 => expm1,
            Elementary::Log => log,
            Elementary::Log1p => log1p,
            Elementary::Sin => sin,
            Elementary::Cos => cos,
            Elementary::Tanh => tanh,
            Elementary::Erf => erf,
        }
    }
}

pub use host::{Host, cos, erf, exp, expm1, log, log1p, sin, sin_cos, tanh};
pub use trigonometric::{NEAR, sin_cos as sin_cos_formula, sin_cos_near};

/// 3·2⁵¹: added to a number that is much smaller, it leaves the nearest integer in the lowest bits.
const SHIFTER: f64 = 6_755_399_441_055_744.0;

/// What a sum has lost by rounding, exactly (Knuth's TwoSum).
#[inline(always)]
fn lost_in_sum<M: Machine>(m: &mut M, [a, b]: [M::Real; 2], sum: M::Real) -> M::Real {
    let added = m.sub(sum, a);
    let rest = m.sub(sum, added);
    let (a_lost, b_lost) = (m.sub(a, rest), m.sub(b, added));
    m.add(a_lost, b_lost)
}

/// The size of the first with the sign of the second.
#[inline(always)]
fn with_sign<M: Machine>(m: &mut M, size: M::Real, sign: M::Real) -> M::Real {
    let (size, sign) = (m.bits(size), m.bits(sign));
    let differ = m.xor(size, sign);
    let mask = m.word((-0.0_f64).to_bits());
    let differ = m.and(differ, mask);
    let value = m.xor(size, differ);
    m.float(value)
}

/// The polynomial c₀ + c₁x + c₂x² + …, in pairs of pairs (Estrin's scheme): a short chain of operations instead of few.
#[inline(always)]
fn polynomial<M: Machine, const N: usize>(m: &mut M, x: M::Real, coefficients: [f64; N]) -> M::Real {
    const { assert!(N <= 1 << LEVELS) };
    let mut terms = coefficients.map(|c| m.real(c));
    let mut power = x;
    // The bounds are constants, so that compilers unroll these loops, and then vectorise those around them.
    for level in 0..LEVELS {
        let count = N.div_ceil(1 << level);
        for i in 0..1 << (LEVELS - 1) {
            if 2 * i + 1 < count {
                terms[i] = m.mul_add(terms[2 * i + 1], power, terms[2 * i]);
            } else if 2 * i < count {
                terms[i] = terms[2 * i];
            }
        }
        if count > 2 {
            power = m.mul(power, power);
        }
    }
    terms[0]
}

/// As many times the terms of a polynomial are paired, at most.
const LEVELS: usize = 4;
