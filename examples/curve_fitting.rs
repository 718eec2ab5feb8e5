//! Fits a decaying exponential to noisy samples, by the method of Gauss and Newton: each step solves the least-squares problem of the
//! linearised model, whose matrix is the Jacobian of the residuals.
//!
//! ```console
//! $ cargo run --release --example curve_fitting
//! ```

use gradus::{Constant, Engine, Error, Source};
use ndarray::{Array1, Array2};

const MODEL: &str = "
import numpy as np

def residuals(p, t, y):
    return p[0] * np.exp(-p[1] * t) + p[2] - y
";

/// The parameters after some steps from a guess: size, rate of decay, and what is left at the end.
pub fn fit(t: &[f64], y: &[f64], guess: [f64; 3], steps: usize) -> Result<[f64; 3], Error> {
    type Vector = Array1<f64>;
    let residuals = Engine::default().parse(Source::new("model.py", MODEL))?.function("residuals")?;
    let value = residuals.typed::<(Vector, Vec<f64>, Vec<f64>), Vector>()?;
    let jacobian = residuals.jacobian::<(Vector, Constant<Vec<f64>>, Constant<Vec<f64>>), (Array2<f64>, (), ())>()?;
    let mut p = Array1::from_iter(guess);
    for _ in 0..steps {
        let r = value.call((&p, t, y))?;
        let (j, (), ()) = jacobian.call((&p, t, y))?;
        p -= &solve(j.t().dot(&j), j.t().dot(&r));
    }
    Ok([p[0], p[1], p[2]])
}

/// The solution of a system of linear equations with a positive definite matrix, by elimination.
fn solve(mut a: Array2<f64>, mut b: Array1<f64>) -> Array1<f64> {
    let n = b.len();
    for k in 0..n {
        for i in k + 1..n {
            let factor = a[(i, k)] / a[(k, k)];
            for c in k..n {
                a[(i, c)] -= factor * a[(k, c)];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        b[k] = (b[k] - (k + 1..n).map(|c| a[(k, c)] * b[c]).sum::<f64>()) / a[(k, k)];
    }
    b
}

/// Samples of 2 exp(-1.5 t) + 0.5, off by up to 0.02.
pub fn samples() -> (Vec<f64>, Vec<f64>) {
    let t: Vec<f64> = (0..40).map(|i| 0.1 * f64::from(i)).collect();
    let y = t.iter().enumerate().map(|(i, t)| 2.0 * (-1.5 * t).exp() + 0.5 + 0.02 * (7.0 * i as f64).sin());
    (t.clone(), y.collect())
}

/// Fits the samples.
pub fn main() -> Result<(), Error> {
    let (t, y) = samples();
    let [size, rate, rest] = fit(&t, &y, [1.0, 1.0, 0.0], 8)?;
    println!("{size:.3} exp(-{rate:.3} t) + {rest:.3}");
    Ok(())
}
