//! Comparisons over the values of one argument, and how time and memory grow with it.

use super::{Comparer, Comparison, Effort, Run};
use crate::Error;
use gradus_ir::Value;

/// Comparisons over the values of one argument.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Each value, with the comparison there.
    pub points: Vec<(Value, Comparison)>,
}

/// The exponents e with which time and memory grow as the e-th power of the argument: slopes of the least-squares lines through
/// the logarithms, over the larger half of the values, where constant costs count least. None where there is nothing that
/// grows: fewer than two runs, a value or a cost that is zero or less.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Growth {
    /// Of the time of a run.
    pub time: Option<f64>,
    /// Of the memory of a run.
    pub memory: Option<f64>,
}

impl Comparer {
    /// Compares with argument `index` replaced by each of some values, which must be of its type.
    pub fn sweep(&self, args: &[Value], index: usize, values: &[Value], effort: &Effort) -> Result<Sweep, Error> {
        let mut points = Vec::with_capacity(values.len());
        for value in values {
            let mut args = args.to_vec();
            args[index] = value.clone();
            points.push((value.clone(), self.compare(&args, effort)?));
        }
        Ok(Sweep { points })
    }
}

impl Sweep {
    /// How a row grows.
    pub fn growth(&self, row: usize) -> Growth {
        self.growth_of(|c| c.rows[row].run.as_ref().ok())
    }

    /// How the function itself grows.
    pub fn value_growth(&self) -> Growth {
        self.growth_of(|c| Some(&c.value))
    }

    fn growth_of(&self, run: impl Fn(&Comparison) -> Option<&Run>) -> Growth {
        let runs: Vec<(f64, &Run)> = self.points.iter().filter_map(|(value, c)| Some((number(value)?, run(c)?))).collect();
        let of = |cost: &dyn Fn(&Run) -> f64| exponent(runs.iter().map(|&(x, run)| (x, cost(run))).collect());
        Growth { time: of(&|run| run.seconds), memory: of(&|run| run.memory() as f64) }
    }
}

/// A swept value as a number.
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::F64(v) => Some(*v),
        Value::I64(v) => Some(*v as f64),
        _ => None,
    }
}

fn exponent(mut points: Vec<(f64, f64)>) -> Option<f64> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = points.len().div_ceil(2).max(2);
    let larger = &points[points.len().checked_sub(half)?..];
    if larger.iter().any(|&(x, y)| x <= 0.0 || y <= 0.0) {
        return None;
    }
    let logs: Vec<(f64, f64)> = larger.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| logs.iter().map(of).sum::<f64>() / logs.len() as f64;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let slope = mean(&|p| (p.0 - x) * (p.1 - y)) / mean(&|p| (p.0 - x) * (p.0 - x));
    slope.is_finite().then_some(slope)
}

#[cfg(test)]
mod tests {
    use super::exponent;

    #[test]
    fn exponents() {
        let near = |points: &[(f64, f64)], e: f64| (exponent(points.to_vec()).unwrap() - e).abs() < 1e-12;
        assert!(near(&[(10.0, 8.0), (100.0, 80.0)], 1.0));
        assert!(near(&[(1.0, 50.0), (4.0, 16.0), (2.0, 4.0)], 2.0));
        assert_eq!(exponent(vec![(10.0, 8.0)]), None);
        assert_eq!(exponent(vec![(0.0, 8.0), (0.0, 80.0)]), None);
        assert_eq!(exponent(vec![(3.0, 8.0), (3.0, 80.0)]), None);
        assert_eq!(exponent(vec![(1.0, 0.0), (2.0, 0.0)]), None);
    }
}
