//! A model of which strategy is faster, from compiled programs alone: nothing of a run goes in.
//!
//! The logarithm of the time by stacks ÷ the time by closures is taken as a sum over features, each the logarithm of a number of the
//! one program ÷ the same of the other, times a weight. Weights are by least squares with a small penalty on their squares.

use super::record::Code;

/// The features, by name.
pub const FEATURES: [&str; 5] = ["a constant", "nodes", "bytes of code", "places that make closures", "indirect calls"];

/// The penalty, which keeps weights of features small that never differ.
const PENALTY: f64 = 1e-2;

/// The features of a pair of programs; the constant stands for what no number of theirs says.
pub fn features(stack: &Code, closure: &Code) -> [f64; FEATURES.len()] {
    let log = |of: fn(&Code) -> usize| ((of(stack) + 1) as f64 / (of(closure) + 1) as f64).ln();
    [
        1.0,
        log(|c| c.nodes_lowered),
        log(|c| c.code_bytes.unwrap_or_default()),
        log(|c| c.closure_sites.unwrap_or_default()),
        log(|c| c.indirect_calls.unwrap_or_default()),
    ]
}

/// Weights that were fitted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model<const N: usize> {
    pub weights: [f64; N],
}

impl<const N: usize> Model<N> {
    /// Fits the weights to pairs of features and the number that they are to give.
    pub fn fit(samples: &[([f64; N], f64)]) -> Model<N> {
        let mut system = [[0.0; N]; N];
        let mut right = [0.0; N];
        for (x, y) in samples {
            for i in 0..N {
                right[i] += x[i] * y;
                (0..N).for_each(|j| system[i][j] += x[i] * x[j]);
            }
        }
        (0..N).for_each(|i| system[i][i] += PENALTY);
        Model { weights: solve(system, right) }
    }

    /// The logarithm that the features give.
    pub fn predict(&self, features: &[f64; N]) -> f64 {
        self.weights.iter().zip(features).map(|(w, x)| w * x).sum()
    }
}

/// Solves a system of linear equations whose matrix is symmetric and positive definite: no pivot of the elimination is zero.
fn solve<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> [f64; N] {
    for i in 0..N {
        for row in i + 1..N {
            let factor = a[row][i] / a[i][i];
            (i..N).for_each(|j| a[row][j] -= factor * a[i][j]);
            b[row] -= factor * b[i];
        }
    }
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|j| a[i][j] * b[j]).sum();
        b[i] = (b[i] - known) / a[i][i];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_solved() {
        assert_eq!(solve([[4.0, 2.0], [2.0, 3.0]], [10.0, 9.0]), [1.5, 2.0]);
    }

    #[test]
    fn weights_are_found() {
        let samples: Vec<([f64; 2], f64)> =
            (0..50).map(|i| (f64::from(i), f64::from(i % 7))).map(|(a, b)| ([a, b], 2.0 * a - 3.0 * b)).collect();
        let model = Model::fit(&samples);
        assert!((model.weights[0] - 2.0).abs() < 1e-3 && (model.weights[1] + 3.0).abs() < 1e-3, "{model:?}");
        assert!((model.predict(&[1.0, 1.0]) + 1.0).abs() < 1e-3);
        assert_eq!(Model::<2>::fit(&[]).weights, [0.0; 2]);
    }
}
