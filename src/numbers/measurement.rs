//! Measurements: a value and its standard uncertainty, which is propagated to first order.
//!
//! A measurement knows its derivative with respect to each independent one that it was computed from, times the uncertainty of that
//! one (M. Giordano, *Uncertainty propagation with functionally correlated quantities*, 2016). So `x - x` is exactly 0, and
//! uncertainties of what is computed from the same measurements do not add as if these were independent.

use super::{Number, Numbers, Undefined, Written};
use gradus_ad::rules::{self, Expr, Kind};
use gradus_ir::Prim;
use gradus_ir::eval::{self, Scalar};
use gradus_ir::format::repr;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{self, AtomicU64};

/// A value with its standard uncertainty, and what that comes from. Written `2.5±0.1`, or `2.5+-0.1`.
#[derive(Clone, PartialEq, Debug)]
pub struct Measurement {
    value: f64,
    /// The derivative with respect to each independent measurement times its uncertainty, by the number of that one.
    parts: Arc<[(u64, f64)]>,
}

impl Measurement {
    /// A measurement that is independent of all others.
    pub fn new(value: f64, uncertainty: f64) -> Measurement {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        if uncertainty == 0.0 {
            return Measurement::exact(value);
        }
        let number = COUNT.fetch_add(1, atomic::Ordering::Relaxed);
        Measurement { value, parts: [(number, uncertainty.abs())].into() }
    }

    /// A value without uncertainty.
    pub fn exact(value: f64) -> Measurement {
        Measurement { value, parts: [].into() }
    }

    /// The value.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The standard uncertainty.
    pub fn uncertainty(&self) -> f64 {
        self.parts.iter().fold(0.0, |size: f64, (_, part)| size.hypot(*part))
    }

    /// A function value of measurements, given the derivative with respect to each.
    fn of(value: f64, operands: &[&Measurement], derivatives: &[f64]) -> Measurement {
        let mut parts: Vec<(u64, f64)> = Vec::new();
        for (operand, derivative) in operands.iter().zip(derivatives) {
            for (number, part) in operand.parts.iter() {
                match parts.binary_search_by_key(number, |known| known.0) {
                    Ok(i) => parts[i].1 += derivative * part,
                    Err(i) => parts.insert(i, (*number, derivative * part)),
                }
            }
        }
        Measurement { value: value + 0.0, parts: parts.into() }
    }
}

/// Rounded as measurements are written: the uncertainty to its first digit, to two if that is a 1, and the value to the same place.
impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let uncertainty = self.uncertainty();
        if uncertainty == 0.0 || !uncertainty.is_finite() || !self.value.is_finite() {
            return write!(f, "{} ± {}", repr(self.value), repr(uncertainty));
        }
        // Rounding may carry into another digit, which is seen in the text.
        let first = format!("{uncertainty:.0e}");
        let exponent: i32 = first.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
        let last = exponent - i32::from(first.starts_with('1'));
        if (-12..=0).contains(&last) {
            let places = last.unsigned_abs() as usize;
            return write!(f, "{:.places$} ± {:.places$}", self.value, uncertainty);
        }
        // To the place of the last digit of the uncertainty, both with one exponent.
        let size = self.value.abs().max(uncertainty).log10().floor() as i32;
        let scale = 10f64.powi(size);
        let places = (size - last).max(0) as usize;
        write!(f, "({:.places$} ± {:.places$})e{size}", self.value / scale, uncertainty / scale)
    }
}

impl Number for Measurement {
    fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// `2.5±0.1`, `2.5 ± 0.1`, `2.5+-0.1`, and `2.5`, which is exact.
impl FromStr for Measurement {
    type Err = String;

    fn from_str(text: &str) -> Result<Measurement, String> {
        let misfit = || format!("`{text}` is no measurement; write 2.5±0.1 or 2.5+-0.1");
        let float = |text: &str| text.trim().parse::<f64>().map_err(|_| misfit());
        match ["±", "+/-", "+-"].iter().find_map(|sign| text.split_once(sign)) {
            Some((value, uncertainty)) => match float(uncertainty)? {
                size if size >= 0.0 && size.is_finite() => Ok(Measurement::new(float(value)?, size)),
                _ => Err(misfit()),
            },
            None => Ok(Measurement::exact(float(text)?)),
        }
    }
}

/// The arithmetic of [`Measurement`]: that of floats, and the derivative table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measurements;

/// An adjoint of the table for the cotangent 1; none if it is no number.
fn derivative(adjoint: &Expr, operands: &[f64], result: f64) -> Option<Scalar> {
    Some(match adjoint {
        Expr::G => Scalar::F64(1.0),
        Expr::Y => Scalar::F64(result),
        Expr::Arg(i) => Scalar::F64(operands[*i]),
        Expr::F64(v) => Scalar::F64(*v),
        Expr::I64(v) => Scalar::I64(*v),
        Expr::Zero => Scalar::F64(0.0),
        Expr::Op(prim, items) => {
            let items = items.iter().map(|item| derivative(item, operands, result)).collect::<Option<Vec<_>>>()?;
            eval::eval(*prim, &items)?.ok()?
        }
        Expr::Tangent(_) | Expr::Sum | Expr::ZeroOf(_) | Expr::Rest(_) | Expr::Array(..) => return None,
    })
}

impl Numbers for Measurements {
    type Number = Measurement;

    const NAME: &'static str = "measurements";

    fn literal(&self, v: f64) -> Result<Measurement, Undefined> {
        Ok(Measurement::exact(v))
    }

    fn integer(&self, v: i64) -> Measurement {
        Measurement::exact(v as f64)
    }

    fn to_integer(&self, a: &Measurement) -> Option<i64> {
        eval::float_to_int(a.value).ok()
    }

    fn compare(&self, a: &Measurement, b: &Measurement) -> Option<Ordering> {
        a.value.partial_cmp(&b.value)
    }

    fn apply(&self, prim: Prim, operands: &[&Measurement]) -> Option<Result<Measurement, Undefined>> {
        let values: Vec<f64> = operands.iter().map(|operand| operand.value).collect();
        let scalars: Vec<Scalar> = values.iter().map(|&v| Scalar::F64(v)).collect();
        let Scalar::F64(value) = eval::eval(prim, &scalars)?.ok()? else { return None };
        if operands.iter().all(|operand| operand.parts.is_empty()) {
            return Some(Ok(Measurement::exact(value)));
        }
        let rule = rules::rule(prim)?;
        if rule.kind == Kind::Flat {
            return Some(Ok(Measurement::exact(value)));
        }
        let derivatives = rule.adjoints.iter().map(|adjoint| match adjoint {
            Some(adjoint) => match derivative(adjoint, &values, value)? {
                Scalar::F64(v) => Some(v),
                Scalar::I64(_) | Scalar::Bool(_) => None,
            },
            None => Some(0.0),
        });
        Some(Ok(Measurement::of(value, operands, &derivatives.collect::<Option<Vec<f64>>>()?)))
    }
}

impl Written for Measurements {
    fn read(&self, text: &str) -> Result<Measurement, String> {
        text.parse()
    }

    fn text(&self, number: &Measurement) -> String {
        format!("{} ± {}", repr(number.value), repr(number.uncertainty()))
    }
}
