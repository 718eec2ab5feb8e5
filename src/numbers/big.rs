//! Floats of many digits. Special values are those of floats: infinities, and NaN.

use super::decimal::{self, decimal};
use super::{Number, Numbers, Rounding, Undefined, Written};
use astro_float_num::{BigFloat, Consts, Radix, RoundingMode, Sign};
use gradus_ir::Prim;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::f64::consts;
use std::fmt;
use std::sync::Arc;

const ROUND: RoundingMode = RoundingMode::ToEven;

thread_local! {
    /// Digits of π, e and the like that were computed before.
    static CONSTANTS: RefCell<Consts> = RefCell::new(Consts::new().expect("there is memory for a few constants"));
}

fn with_constants<T>(f: impl FnOnce(&mut Consts) -> T) -> T {
    CONSTANTS.with_borrow_mut(f)
}

/// A float of many digits, printed with so many.
#[derive(Clone, PartialEq, Debug)]
pub struct Big {
    value: Arc<BigFloat>,
    digits: usize,
}

impl Big {
    /// The number with `digits` digits at most.
    fn format(&self, digits: usize) -> String {
        if self.value.is_nan() {
            return "nan".into();
        }
        if self.value.is_inf() {
            return if self.value.is_inf_neg() { "-inf" } else { "inf" }.into();
        }
        if self.value.is_zero() {
            return "0.0".into();
        }
        // 0.d₁d₂… times a power of ten.
        let converted = with_constants(|c| self.value.convert_to_radix(Radix::Dec, ROUND, c));
        let Ok((sign, found, exponent)) = converted else { return "nan".into() };
        let (digits, carried) = rounded(&found, digits);
        let (exponent, sign) = (i64::from(exponent) + i64::from(carried), if sign == Sign::Neg { "-" } else { "" });
        let count = digits.len() as i64;
        let text: String = digits.iter().map(|d| char::from(b'0' + d)).collect();
        if (-4..=0).contains(&exponent) {
            let zeros = "0".repeat(exponent.unsigned_abs() as usize);
            return format!("{sign}0.{zeros}{text}");
        }
        if (1..=self.digits as i64).contains(&exponent) {
            let zeros = "0".repeat((exponent - count).max(0) as usize);
            let text = format!("{text}{zeros}");
            let (whole, fraction) = text.split_at(exponent as usize);
            return format!("{sign}{whole}.{}", if fraction.is_empty() { "0" } else { fraction });
        }
        let (first, rest) = text.split_at(1);
        format!("{sign}{first}.{}e{}", if rest.is_empty() { "0" } else { rest }, exponent - 1)
    }
}

/// The first of some decimal digits, rounded to nearest, without zeros at the end; and whether that carried into a digit before them.
fn rounded(found: &[u8], count: usize) -> (Vec<u8>, bool) {
    let mut digits = found[..count.min(found.len())].to_vec();
    let mut carry = found.get(count).is_some_and(|&d| d >= 5);
    for digit in digits.iter_mut().rev() {
        if !carry {
            break;
        }
        carry = *digit == 9;
        *digit = if carry { 0 } else { *digit + 1 };
    }
    if carry {
        digits = vec![1];
    }
    while digits.len() > 1 && digits.last() == Some(&0) {
        digits.pop();
    }
    (digits, carry)
}

impl fmt::Display for Big {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.format(self.digits))
    }
}

impl Number for Big {
    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }

    fn rounded(&self, to: Rounding) -> Option<String> {
        Some(decimal::rounded(&fraction(&self.value)?, to))
    }
}

/// The arithmetic of [`Big`], with so many decimal digits.
///
/// A literal that is the float next to a constant stands for the constant: `math.pi` has all its digits.
#[derive(Clone, Copy, Debug)]
pub struct Bigs {
    digits: usize,
}

impl Default for Bigs {
    fn default() -> Bigs {
        Bigs::new(50)
    }
}

impl Bigs {
    /// Arithmetic with this many decimal digits, and some more that are not shown.
    pub fn new(digits: usize) -> Bigs {
        Bigs { digits }
    }

    /// Bits of precision: those of the digits, and a word to spare for what errors add up to.
    fn bits(self) -> usize {
        (self.digits as f64 * consts::LOG2_10).ceil() as usize + 64
    }

    fn number(self, value: BigFloat) -> Big {
        Big { value: Arc::new(value), digits: self.digits }
    }

    fn small(self, v: i64) -> BigFloat {
        BigFloat::from_i64(v, self.bits())
    }

    /// The constant whose nearest float this is.
    fn constant(self, v: f64) -> Option<BigFloat> {
        let p = self.bits();
        let of = |name: fn(&mut Consts, usize, RoundingMode) -> BigFloat| with_constants(|c| name(c, p, ROUND));
        Some(match v {
            consts::PI => of(Consts::pi),
            consts::TAU => of(Consts::pi).mul(&self.small(2), p, ROUND),
            consts::E => of(Consts::e),
            consts::LN_2 => of(Consts::ln_2),
            consts::LN_10 => of(Consts::ln_10),
            consts::FRAC_2_SQRT_PI => self.small(2).div(&of(Consts::pi).sqrt(p, ROUND), p, ROUND),
            consts::EULER_GAMMA => self.euler_gamma(),
            _ => return None,
        })
    }

    /// Euler's γ, whose error is of the order of e^(-4n) where s and t are sums over all k (R. P. Brent and E. M. McMillan, *Some new
    /// algorithms for high-precision computation of Euler's constant*, 1980, algorithm B1):
    ///
    /// ```text
    /// γ = s / t    s = Σ (nᵏ/k!)² (Hₖ - ln n)    t = Σ (nᵏ/k!)²
    /// ```
    fn euler_gamma(self) -> BigFloat {
        let p = self.bits() + 64;
        let n = (p as f64 * consts::LN_2 / 4.0).ceil() as i64;
        let number = |v: i64| BigFloat::from_i64(v, p);
        let square = number(n * n);
        let (mut a, mut b) = (with_constants(|c| number(n).ln(p, ROUND, c)).neg(), number(1));
        let (mut s, mut t) = (a.clone(), b.clone());
        // The terms become larger as long as k < n, and at k = 4n are smaller than the last bit.
        for k in 1..=4 * n {
            let k = number(k);
            b = b.mul(&square, p, ROUND).div(&k, p, ROUND).div(&k, p, ROUND);
            a = a.mul(&square, p, ROUND).div(&k, p, ROUND).add(&b, p, ROUND).div(&k, p, ROUND);
            (s, t) = (s.add(&a, p, ROUND), t.add(&b, p, ROUND));
        }
        s.div(&t, self.bits(), ROUND)
    }

    /// eᵃ - 1, and ln(1 + a): where a is small the 1 takes as many bits as a is small.
    fn near_one(self, a: &BigFloat, f: impl Fn(&BigFloat, &BigFloat, usize) -> BigFloat) -> BigFloat {
        if a.is_zero() {
            return a.clone();
        }
        let p = self.bits();
        let small = a.exponent().map_or(0, |e| usize::try_from(-i64::from(e)).unwrap_or(0));
        // Of what is smaller still, the second term of the series is not seen.
        if small > p { a.clone() } else { f(a, &self.small(1), p + small) }
    }

    /// erf a = 2/√π e^(-a²) Σ 2ⁿ a²ⁿ⁺¹ / (1·3·…·(2n+1)), whose terms have one sign.
    fn erf(self, a: &BigFloat, p: usize) -> BigFloat {
        let square = a.mul(a, p, ROUND);
        let twice = square.add(&square, p, ROUND);
        let (mut term, mut sum, mut n) = (a.clone(), a.clone(), 1);
        while term.exponent().zip(sum.exponent()).is_some_and(|(t, s)| i64::from(s) - i64::from(t) < p as i64) && !term.is_zero()
        {
            n += 2;
            term = term.mul(&twice, p, ROUND).div(&BigFloat::from_i64(n, p), p, ROUND);
            sum = sum.add(&term, p, ROUND);
        }
        with_constants(|c| {
            let scale = BigFloat::from_i64(2, p).div(&c.pi(p, ROUND).sqrt(p, ROUND), p, ROUND);
            sum.mul(&scale, p, ROUND).mul(&square.neg().exp(p, ROUND, c), p, ROUND)
        })
    }

    /// erf a, or its complement, which needs the more digits the smaller it is. None where these would be too many.
    fn erf_or_complement(self, a: &BigFloat, is_complement: bool) -> Option<BigFloat> {
        const MOST: i64 = 1 << 16;
        let one = self.small(1);
        if a.is_nan() {
            return Some(a.clone());
        }
        // a² log₂ e bits, at most.
        let size = BigFloat::from_i64(200, 64);
        if a.abs().cmp(&size).is_none_or(|order| order > 0) {
            let limit = if a.is_negative() { one.neg() } else { one.clone() };
            return match (is_complement, a.is_negative()) {
                (false, _) => Some(limit),
                (true, true) => Some(self.small(2)),
                (true, false) => a.is_inf().then(|| self.small(0)),
            };
        }
        let square = integer(&a.mul(a, 64, ROUND)).filter(|&n| n < MOST)?;
        let p = self.bits() + 64 + 2 * square as usize;
        let erf = self.erf(a, p);
        Some(if is_complement { one.sub(&erf, p, ROUND) } else { erf })
    }

    fn atan2(self, y: &BigFloat, x: &BigFloat) -> BigFloat {
        let p = self.bits();
        let pi = with_constants(|c| c.pi(p, ROUND));
        let signed = |v: BigFloat| if y.is_negative() { v.neg() } else { v };
        if x.is_zero() {
            return if y.is_zero() { self.small(0) } else { signed(pi.div(&self.small(2), p, ROUND)) };
        }
        let angle = with_constants(|c| y.div(x, p, ROUND).atan(p, ROUND, c));
        if x.is_negative() { angle.add(&signed(pi), p, ROUND) } else { angle }
    }
}

/// The fraction that a number is; none if it is no number, or if its exponent has more digits than anybody reads.
fn fraction(a: &BigFloat) -> Option<BigRational> {
    const MOST: u64 = 1 << 20;
    if a.is_zero() {
        return Some(BigRational::zero());
    }
    // Sign and words of a fraction between 1/2 and 1, the least first, times a power of two.
    let (words, _, sign, exponent, _) = a.as_raw_parts()?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let digits = BigInt::from_bytes_le(if sign == Sign::Neg { num_bigint::Sign::Minus } else { num_bigint::Sign::Plus }, &bytes);
    let shift = i64::from(exponent) - 8 * bytes.len() as i64;
    let power = (shift.unsigned_abs() <= MOST).then(|| BigInt::from(1) << shift.unsigned_abs())?;
    Some(if shift < 0 { BigRational::new(digits, power) } else { BigRational::from_integer(digits * power) })
}

/// The integer that is next toward zero; none outside of 64 bits.
fn integer(a: &BigFloat) -> Option<i64> {
    if a.is_zero() {
        return Some(0);
    }
    let (words, _, sign, exponent, _) = a.as_raw_parts()?;
    let bits = match exponent {
        ..=0 => 0,
        1..=64 => u128::from(*words.last()?) >> (64 - exponent),
        _ => return None,
    };
    let size = i128::try_from(bits).ok()?;
    i64::try_from(if sign == Sign::Neg { -size } else { size }).ok()
}

impl Numbers for Bigs {
    type Number = Big;

    const NAME: &'static str = "numbers of many digits";

    fn literal(&self, v: f64) -> Result<Big, Undefined> {
        if let Some(constant) = self.constant(v.abs()) {
            return Ok(self.number(if v < 0.0 { constant.neg() } else { constant }));
        }
        // There is one zero.
        self.read(&format!("{:e}", v + 0.0).to_lowercase()).map_err(Undefined::Refused)
    }

    fn integer(&self, v: i64) -> Big {
        self.number(self.small(v))
    }

    fn to_integer(&self, a: &Big) -> Option<i64> {
        integer(&a.value)
    }

    fn compare(&self, a: &Big, b: &Big) -> Option<Ordering> {
        a.value.cmp(&b.value).map(|order| order.cmp(&0))
    }

    fn apply(&self, prim: Prim, operands: &[&Big]) -> Option<Result<Big, Undefined>> {
        let p = self.bits();
        let operands: Vec<&BigFloat> = operands.iter().map(|operand| &*operand.value).collect();
        let one = || self.small(1);
        let value = with_operands(prim, &operands, p).or_else(|| {
            Some(match (prim, &operands[..]) {
                (Prim::Expm1, [a]) => self.near_one(a, |a, one, p| with_constants(|c| a.exp(p, ROUND, c)).sub(one, p, ROUND)),
                (Prim::Log1p, [a]) => self.near_one(a, |a, one, p| with_constants(|c| a.add_full_prec(one).ln(p, ROUND, c))),
                (Prim::Sigmoid, [a]) => {
                    let exp = with_constants(|c| a.neg().exp(p, ROUND, c));
                    one().div(&exp.add(&one(), p, ROUND), p, ROUND)
                }
                (Prim::LogAddExp, [a, b]) => {
                    let sum = with_constants(|c| b.sub(a, p, ROUND).exp(p, ROUND, c)).add(&one(), p, ROUND);
                    with_constants(|c| sum.ln(p, ROUND, c)).add(a, p, ROUND)
                }
                (Prim::Atan2, [y, x]) => self.atan2(y, x),
                (Prim::Erf, [a]) => self.erf_or_complement(a, false)?,
                (Prim::Erfc, [a]) => self.erf_or_complement(a, true)?,
                _ => return None,
            })
        })?;
        Some(Ok(self.number(value)))
    }
}

/// What the library computes, with `p` bits.
fn with_operands(prim: Prim, operands: &[&BigFloat], p: usize) -> Option<BigFloat> {
    let c = |f: &dyn Fn(&mut Consts) -> BigFloat| with_constants(|c| f(c));
    Some(match (prim, operands) {
        (Prim::Add, [a, b]) => a.add(b, p, ROUND),
        (Prim::Sub, [a, b]) => a.sub(b, p, ROUND),
        (Prim::Mul, [a, b]) => a.mul(b, p, ROUND),
        (Prim::Div, [a, b]) => a.div(b, p, ROUND),
        (Prim::Neg, [a]) => a.neg(),
        (Prim::Abs, [a]) => a.abs(),
        (Prim::Floor, [a]) => a.floor(),
        (Prim::Ceil, [a]) => a.ceil(),
        (Prim::Trunc, [a]) => {
            if a.is_inf() {
                (*a).clone()
            } else {
                a.int()
            }
        }
        (Prim::Round, [a]) => a.round(0, ROUND),
        (Prim::Sqrt, [a]) => a.sqrt(p, ROUND),
        (Prim::Cbrt, [a]) => a.cbrt(p, ROUND),
        (Prim::Pow, [a, b]) => power(a, b, p),
        (Prim::Exp, [a]) => c(&|c| a.exp(p, ROUND, c)),
        (Prim::Exp2, [a]) => power(&BigFloat::from_i64(2, p), a, p),
        (Prim::Log, [a]) => c(&|c| a.ln(p, ROUND, c)),
        (Prim::Log2, [a]) => c(&|c| a.log2(p, ROUND, c)),
        (Prim::Log10, [a]) => c(&|c| a.log10(p, ROUND, c)),
        (Prim::Sin, [a]) => c(&|c| a.sin(p, ROUND, c)),
        (Prim::Cos, [a]) => c(&|c| a.cos(p, ROUND, c)),
        (Prim::Tan, [a]) => c(&|c| a.tan(p, ROUND, c)),
        (Prim::Asin, [a]) => c(&|c| a.asin(p, ROUND, c)),
        (Prim::Acos, [a]) => c(&|c| a.acos(p, ROUND, c)),
        (Prim::Atan, [a]) => c(&|c| a.atan(p, ROUND, c)),
        (Prim::Sinh, [a]) => c(&|c| a.sinh(p, ROUND, c)),
        (Prim::Cosh, [a]) => c(&|c| a.cosh(p, ROUND, c)),
        (Prim::Tanh, [a]) => c(&|c| a.tanh(p, ROUND, c)),
        (Prim::Asinh, [a]) => c(&|c| a.asinh(p, ROUND, c)),
        (Prim::Acosh, [a]) => c(&|c| a.acosh(p, ROUND, c)),
        (Prim::Atanh, [a]) => c(&|c| a.atanh(p, ROUND, c)),
        _ => return None,
    })
}

/// aᵇ, with a word more before it is rounded: the library rounds as it should, but looks for ever for the digit that decides where
/// the power is exact, as that of 4 and 1/2 is.
fn power(a: &BigFloat, b: &BigFloat, p: usize) -> BigFloat {
    let mut power = with_constants(|c| a.pow(b, p + 64, RoundingMode::None, c));
    match power.set_precision(p, ROUND) {
        Ok(()) => power,
        Err(_) => BigFloat::nan(None),
    }
}

impl Written for Bigs {
    fn read(&self, text: &str) -> Result<Big, String> {
        let digits = text.trim();
        let special = ["nan", "inf", "-inf"].contains(&digits.to_lowercase().as_str());
        if !special && decimal(digits).is_none() {
            return Err(format!("`{text}` is no number of many digits; write 0.1 or 1e-30"));
        }
        let value = with_constants(|c| BigFloat::parse(digits, Radix::Dec, self.bits(), ROUND, c));
        Ok(self.number(value))
    }

    fn text(&self, number: &Big) -> String {
        number.to_string()
    }
}
