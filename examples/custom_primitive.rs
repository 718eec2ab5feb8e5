//! A function of Rust as a primitive of programs, with its derivative: the logarithm of the gamma function, in the likelihood of a gamma
//! distribution, whose shape is found from data by bisection of the gradient.
//!
//! ```console
//! $ cargo run --release --example custom_primitive
//! ```

use gradus::{Constant, Engine, Error, Primitive, Source};

const LIKELIHOOD: &str = "
import numpy as np

def likelihood(shape, x):
    scale = np.mean(x) / shape
    return np.sum((shape - 1.0) * np.log(x) - x / scale) - len(x) * (loggamma(shape) + shape * np.log(scale))
";

/// The derivative of the logarithm of the gamma function, for positive numbers: by its recurrence, and its series for large ones.
fn digamma(x: f64) -> f64 {
    if x < 10.0 {
        return digamma(x + 1.0) - 1.0 / x;
    }
    let y = x.powi(-2);
    x.ln() - 0.5 / x - y * (1.0 / 12.0 - y * (1.0 / 120.0 - y / 252.0))
}

/// The shape for which the data are likeliest.
pub fn shape(data: &[f64]) -> Result<f64, Error> {
    let loggamma = Primitive::new("loggamma", |x: f64| libm::lgamma(x))
        .pullback(|_, x, cotangent| cotangent * digamma(x))
        .pushforward(|_, x, tangent| tangent * digamma(x));
    let program = Engine::default().with(loggamma).parse(Source::new("likelihood.py", LIKELIHOOD))?;
    let slope = program.function("likelihood")?.grad::<(f64, Constant<Vec<f64>>)>()?;
    let (mut low, mut high) = (1e-3, 1e3);
    for _ in 0..60 {
        let middle = f64::sqrt(low * high);
        let (slope, ()) = slope.call((middle, data))?;
        if slope > 0.0 { low = middle } else { high = middle }
    }
    Ok(low)
}

/// Numbers as a gamma distribution of shape 3 gives them: each is the sum of three waiting times.
pub fn data() -> Vec<f64> {
    let part = |i: i32, square: f64| -(f64::from(i) * square.sqrt()).fract().ln();
    (1..=2000).map(|i| part(i, 2.0) + part(i, 3.0) + part(i, 5.0)).collect()
}

/// Shows the shape.
pub fn main() -> Result<(), Error> {
    println!("shape {:.4}", shape(&data())?);
    Ok(())
}
