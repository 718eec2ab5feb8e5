//! Fractions: exact, of integers of any size.

use super::decimal::{self, decimal};
use super::{Number, Numbers, Rounding, Undefined, Written};
use gradus_ir::{Prim, TrapKind};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A fraction of two integers of any size, in lowest terms. Written `11//3`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rational(Arc<BigRational>);

impl Rational {
    /// The fraction of two integers; none if the second is zero.
    pub fn new(numerator: impl Into<BigInt>, denominator: impl Into<BigInt>) -> Option<Rational> {
        let denominator = denominator.into();
        (!denominator.is_zero()).then(|| BigRational::new(numerator.into(), denominator).into())
    }

    /// What is above the line.
    pub fn numerator(&self) -> &BigInt {
        self.0.numer()
    }

    /// What is below it; positive.
    pub fn denominator(&self) -> &BigInt {
        self.0.denom()
    }

    /// The nearest float.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }
}

impl From<BigRational> for Rational {
    fn from(fraction: BigRational) -> Rational {
        Rational(Arc::new(fraction))
    }
}

impl From<i64> for Rational {
    fn from(v: i64) -> Rational {
        BigRational::from_integer(v.into()).into()
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}//{}", self.numerator(), self.denominator())
    }
}

impl Number for Rational {
    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }

    fn rounded(&self, to: Rounding) -> Option<String> {
        Some(decimal::rounded(&self.0, to))
    }
}

/// `1//3`, `1/3`, `-0.25`, `1e-3`, `3`.
impl FromStr for Rational {
    type Err = String;

    fn from_str(text: &str) -> Result<Rational, String> {
        let part = |text: &str| {
            let (digits, exponent) = decimal(text.trim())?;
            let power = BigInt::from(10).pow(exponent.unsigned_abs() as u32);
            Some(if exponent < 0 { BigRational::new(digits, power) } else { BigRational::from_integer(digits * power) })
        };
        let (above, below) = text.split_once("//").or_else(|| text.split_once('/')).unwrap_or((text, "1"));
        match (part(above), part(below)) {
            (Some(_), Some(below)) if below.is_zero() => Err(format!("`{text}` has the denominator zero")),
            (Some(above), Some(below)) => Ok((above / below).into()),
            _ => Err(format!("`{text}` is no rational number; write 1//3 or 0.25")),
        }
    }
}

/// The arithmetic of [`Rational`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Rationals;

/// The most bits of a fraction, above and below the line together: some 150,000 digits. To bring one of them to lowest terms takes a
/// second, and four times as long for each doubling.
const MOST_BITS: u64 = 1 << 19;

fn bits(a: &BigRational) -> u64 {
    a.numer().bits() + a.denom().bits()
}

/// The exact root of a fraction, if it has one.
fn root(a: &BigRational, degree: u32) -> Option<BigRational> {
    let part = |n: &BigInt| -> Option<BigInt> {
        let root = if n.is_negative() && degree.is_multiple_of(2) { return None } else { n.nth_root(degree) };
        (root.pow(degree) == *n).then_some(root)
    };
    Some(BigRational::new(part(a.numer())?, part(a.denom())?))
}

impl Numbers for Rationals {
    type Number = Rational;

    const NAME: &'static str = "rational numbers";
    const HINT: Option<&'static str> = Some("numbers of many digits have it: `--number big`");

    fn literal(&self, v: f64) -> Result<Rational, Undefined> {
        format!("{v:e}").parse().map_err(|_| Undefined::Refused(format!("{v} is no rational number")))
    }

    fn integer(&self, v: i64) -> Rational {
        v.into()
    }

    fn to_integer(&self, a: &Rational) -> Option<i64> {
        a.0.to_integer().to_i64()
    }

    fn compare(&self, a: &Rational, b: &Rational) -> Option<Ordering> {
        Some(a.cmp(b))
    }

    fn apply(&self, prim: Prim, operands: &[&Rational]) -> Option<Result<Rational, Undefined>> {
        let no_root = |a: &Rational| Undefined::Refused(format!("`{}` of {a} has no value among rational numbers", prim.name()));
        let result: BigRational = match (prim, operands) {
            (Prim::Add, [a, b]) => &*a.0 + &*b.0,
            (Prim::Sub, [a, b]) => &*a.0 - &*b.0,
            (Prim::Mul, [a, b]) => &*a.0 * &*b.0,
            (Prim::Div, [_, b]) if b.0.is_zero() => return Some(Err(Undefined::Trap(TrapKind::ZeroDenominator))),
            (Prim::Div, [a, b]) => &*a.0 / &*b.0,
            (Prim::Neg, [a]) => -&*a.0,
            (Prim::Floor, [a]) => a.0.floor(),
            (Prim::Ceil, [a]) => a.0.ceil(),
            (Prim::Trunc, [a]) => a.0.trunc(),
            (Prim::Round, [a]) => decimal::round(&a.0).into(),
            (Prim::Sqrt | Prim::Cbrt, [a]) => match root(&a.0, if prim == Prim::Sqrt { 2 } else { 3 }) {
                Some(root) => root,
                None => return Some(Err(no_root(a))),
            },
            (Prim::Pow, [a, b]) => match power(&a.0, &b.0) {
                Some(Ok(power)) => power,
                Some(Err(reason)) => return Some(Err(reason)),
                None => return Some(Err(no_root(a))),
            },
            _ => return None,
        };
        let fits = bits(&result) <= MOST_BITS;
        Some(if fits { Ok(result.into()) } else { Err(Undefined::Trap(TrapKind::OutOfMemory)) })
    }
}

/// A power whose exponent is a fraction of small integers; none where it is no fraction.
fn power(a: &BigRational, b: &BigRational) -> Option<Result<BigRational, Undefined>> {
    let root = root(a, b.denom().to_u32()?)?;
    let exponent = b.numer().to_i32()?;
    if root.is_zero() && exponent < 0 {
        return Some(Err(Undefined::Trap(TrapKind::ZeroDenominator)));
    }
    if bits(&root).saturating_mul(exponent.unsigned_abs().into()) > 2 * MOST_BITS {
        return Some(Err(Undefined::Trap(TrapKind::OutOfMemory)));
    }
    Some(Ok(root.pow(exponent)))
}

impl Written for Rationals {
    fn read(&self, text: &str) -> Result<Rational, String> {
        text.parse()
    }

    fn text(&self, number: &Rational) -> String {
        number.to_string()
    }
}
