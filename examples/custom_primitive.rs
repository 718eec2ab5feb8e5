//! A function of Rust as a primitive of programs, with its first and second derivatives: the logarithm of the gamma function, in the
//! likelihood of a gamma distribution, whose shape is found from data by Newton's method.
//!
//! ```console
//! $ cargo run --release --example custom_primitive
//! ```

use gradus::{Constant, Engine, Error, Mode, Primitive, Request, Source};

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

/// The derivative of that, likewise.
fn trigamma(x: f64) -> f64 {
    if x < 10.0 {
        return trigamma(x + 1.0) + x.powi(-2);
    }
    let y = x.powi(-2);
    1.0 / x + 0.5 * y + y / x * (1.0 / 6.0 - y * (1.0 / 30.0 - y / 42.0))
}

/// The logarithm of the gamma function. The pullback is a primitive, too: its arguments are the value, the argument and the cotangent,
/// and it has a pullback that gives their cotangents.
fn loggamma() -> Primitive<f64, f64> {
    let slope = Primitive::new("loggamma_slope", |(_, x, g): (f64, f64, f64)| g * digamma(x));
    let bend = |_, (_, x, g): (f64, f64, f64), h: f64| (0.0, h * g * trigamma(x), h * digamma(x));
    Primitive::new("loggamma", |x: f64| libm::lgamma(x)).pullback_by(slope.pullback(bend))
}

/// The shape for which the data are likeliest.
pub fn shape(data: &[f64]) -> Result<f64, Error> {
    let program = Engine::default().with(loggamma()).parse(Source::new("likelihood.py", LIKELIHOOD))?;
    let twice = Request::Orders(0, vec![Mode::Reverse, Mode::Forward]);
    let derivatives = program.function("likelihood")?.request::<(f64, Constant<Vec<f64>>), (f64, f64, f64)>(twice)?;
    // The slope falls ever more slowly, so steps from the left do not go too far.
    let mut shape = 1e-3;
    loop {
        let (_, slope, curvature) = derivatives.call((shape, data))?;
        let step = slope / curvature;
        shape -= step;
        if step.abs() <= 1e-12 * shape {
            return Ok(shape);
        }
    }
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
