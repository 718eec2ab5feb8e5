//! Truncated Taylor series over fractions: a value and its derivatives without rounding, by arithmetic that shares nothing with the
//! compiler.

use num_rational::Ratio;
use num_traits::{ToPrimitive, Zero};
use std::array::from_fn;
use std::ops::{Add, Div, Mul, Sub};

const LENGTH: usize = super::ORDERS + 1;

/// The coefficients of the powers of a variable.
#[derive(Clone, Copy)]
pub struct Series([Ratio<i128>; LENGTH]);

impl Series {
    pub fn constant(value: i128) -> Series {
        Series(from_fn(|k| if k == 0 { value.into() } else { Ratio::zero() }))
    }

    /// `x` and what is added to it. A float is a fraction.
    pub fn variable(x: f64) -> Series {
        let at = Ratio::approximate_float(x).expect("a finite number");
        assert_eq!(at.to_f64(), Some(x), "a point that is a small fraction");
        Series(from_fn(|k| [at, 1.into()].get(k).copied().unwrap_or_default()))
    }

    /// The value and its derivatives.
    pub fn derivatives(self) -> [f64; LENGTH] {
        let mut factorial = 1;
        from_fn(|k| {
            factorial *= k.max(1) as i128;
            (self.0[k] * factorial).to_f64().expect("a finite number")
        })
    }

    pub fn is_above(self, bound: i128) -> bool {
        self.0[0] > bound.into()
    }
}

impl Add for Series {
    type Output = Series;

    fn add(self, other: Series) -> Series {
        Series(from_fn(|k| self.0[k] + other.0[k]))
    }
}

impl Sub for Series {
    type Output = Series;

    fn sub(self, other: Series) -> Series {
        Series(from_fn(|k| self.0[k] - other.0[k]))
    }
}

impl Mul for Series {
    type Output = Series;

    fn mul(self, other: Series) -> Series {
        Series(from_fn(|k| (0..=k).map(|i| self.0[i] * other.0[k - i]).sum()))
    }
}

impl Div for Series {
    type Output = Series;

    /// The series whose product with `other` is `self`, coefficient by coefficient.
    fn div(self, other: Series) -> Series {
        let mut quotient = [Ratio::zero(); LENGTH];
        for k in 0..LENGTH {
            let known: Ratio<i128> = (0..k).map(|i| quotient[i] * other.0[k - i]).sum();
            quotient[k] = (self.0[k] - known) / other.0[0];
        }
        Series(quotient)
    }
}
