//! Decimals: how numbers are read, and what fractions are rounded to.

use gradus_ir::Rounding;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, Zero};
use std::cmp::Ordering;

/// A decimal: its digits as an integer, and the power of ten they are times. None if it is none, or its exponent is beyond 10⁵.
pub fn decimal(text: &str) -> Option<(BigInt, i64)> {
    const MOST: i64 = 100_000;
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let is_number = digits.trim_start_matches(['-', '+']).starts_with(|c: char| c.is_ascii_digit());
    let is_plain = digits.chars().skip(1).all(|c| c.is_ascii_digit()) && fraction.chars().all(|c| c.is_ascii_digit());
    let exponent = (-MOST..=MOST).contains(&exponent).then_some(exponent)? - i64::try_from(fraction.len()).ok()?;
    Some((digits.parse().ok().filter(|_| is_number && is_plain)?, exponent))
}

/// The nearest integer, ties to even.
pub fn round(a: &BigRational) -> BigInt {
    let (floor, twice) = (a.floor().to_integer(), (a - a.floor()) * BigInt::from(2));
    let up = match twice.cmp(&BigInt::from(1).into()) {
        Ordering::Less => false,
        Ordering::Greater => true,
        Ordering::Equal => floor.is_odd(),
    };
    if up { floor + 1 } else { floor }
}

/// A fraction times a power of ten.
fn scaled(a: &BigRational, exponent: i64) -> BigRational {
    let power = BigInt::from(10).pow(exponent.unsigned_abs() as u32);
    if exponent < 0 { a / power } else { a * power }
}

/// The text of what [`gradus_ir::Number::rounded`] says.
pub fn rounded(a: &BigRational, to: Rounding) -> String {
    let (sign, size) = (if a.is_negative() { "-" } else { "" }, a.abs());
    let (places, size) = match to {
        Rounding::Places(n) => (n, size),
        Rounding::Percent(n) => (n, scaled(&size, 2)),
        Rounding::Digits(n) => {
            let exponent = exponent(&size, n);
            return format!("{sign}{}e{exponent}", pointed(&round(&scaled(&size, n as i64 - exponent)), n));
        }
    };
    format!("{sign}{}", pointed(&round(&scaled(&size, places as i64)), places))
}

/// The power of ten that the first of so many more digits has once they are rounded.
fn exponent(size: &BigRational, more: usize) -> i64 {
    if size.is_zero() {
        return 0;
    }
    // The logarithm, one too small at most.
    let bits = size.numer().bits() as f64 - size.denom().bits() as f64 - 1.0;
    let mut exponent = (bits * std::f64::consts::LOG10_2).floor() as i64;
    let next = BigInt::from(10).pow(more as u32 + 1);
    while round(&scaled(size, more as i64 - exponent)) >= next {
        exponent += 1;
    }
    exponent
}

/// An integer with a point before so many of its last digits.
fn pointed(digits: &BigInt, places: usize) -> String {
    let text = format!("{digits:0>width$}", width = places + 1);
    match text.split_at(text.len() - places) {
        (whole, "") => whole.into(),
        (whole, fraction) => format!("{whole}.{fraction}"),
    }
}
