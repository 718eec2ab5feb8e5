//! Finds the stiffness and the damping of a spring from measurements of its motion: a simulation in ordinary Rust, whose gradient is
//! compiled, and Gauss–Newton steps.
//!
//! ```console
//! $ cargo run --release --example differentiable
//! ```

use gradus::{Constant, Error, Value, differentiable};

/// What is to be found.
#[derive(Value, Clone, Copy, PartialEq, Debug)]
pub struct Spring {
    /// Force per length.
    pub stiffness: f64,
    /// Force per speed.
    pub damping: f64,
}

/// A place and a speed.
#[derive(Value, Clone, Copy, PartialEq, Debug)]
pub struct Motion {
    /// How far the spring is stretched.
    pub place: f64,
    /// How fast that changes.
    pub speed: f64,
}

/// The time from one step to the next.
const STEP: f64 = 0.01;

/// So many steps lie between two measurements.
const PER_MEASUREMENT: usize = 25;

#[differentiable]
impl Spring {
    fn acceleration(&self, at: Motion) -> f64 {
        -self.stiffness * at.place - self.damping * at.speed
    }

    /// One step of Heun's method.
    fn step(&self, at: Motion) -> Motion {
        let first = self.acceleration(at);
        let guess = Motion { place: at.place + STEP * at.speed, speed: at.speed + STEP * first };
        let second = self.acceleration(guess);
        Motion { place: at.place + 0.5 * STEP * (at.speed + guess.speed), speed: at.speed + 0.5 * STEP * (first + second) }
    }
}

/// Where the spring is after so many measurements.
#[differentiable]
fn place(spring: Spring, start: Motion, measurements: usize) -> f64 {
    let mut at = start;
    for _ in 0..measurements * PER_MEASUREMENT {
        at = spring.step(at);
    }
    at.place
}

/// The sum of the squares of what the measurements and the simulation differ by.
#[differentiable]
fn misfit(spring: Spring, start: Motion, measured: &[f64]) -> f64 {
    let mut at = start;
    let mut sum = 0.0;
    for &seen in measured {
        for _ in 0..PER_MEASUREMENT {
            at = spring.step(at);
        }
        sum += (at.place - seen).powi(2);
    }
    sum
}

/// Fits a spring to what was measured, and gives it with the misfit before each step.
pub fn fit(mut spring: Spring, start: Motion, measured: &[f64]) -> Result<(Spring, Vec<f64>), Error> {
    // The start is known: no gradient is computed for it.
    let function = place::function()?;
    let sensitivity = function.value_and_grad::<(Spring, Constant<Motion>, usize)>()?;
    let mut misfits = Vec::new();
    for _ in 0..6 {
        misfits.push(misfit(spring, start, measured));
        // The normal equations JᵀJ s = Jᵀr of the Gauss–Newton method.
        let (mut a, mut b, mut c, mut u, mut v) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (i, seen) in measured.iter().enumerate() {
            let (value, (d, (), ())) = sensitivity.call((spring, start, i + 1))?;
            let residual = seen - value;
            a += d.stiffness * d.stiffness;
            b += d.stiffness * d.damping;
            c += d.damping * d.damping;
            u += d.stiffness * residual;
            v += d.damping * residual;
        }
        let determinant = a * c - b * b;
        spring.stiffness += (c * u - b * v) / determinant;
        spring.damping += (a * v - b * u) / determinant;
    }
    Ok((spring, misfits))
}

/// A spring, the motion it starts with, and where it is seen from then on.
pub fn measurements() -> (Spring, Motion, Vec<f64>) {
    let (spring, start) = (Spring { stiffness: 4.0, damping: 0.3 }, Motion { place: 1.0, speed: 0.0 });
    let seen = (1..=20).map(|n| place(spring, start, n)).collect();
    (spring, start, seen)
}

/// What the example shows.
pub fn main() -> Result<(), Error> {
    let (spring, start, seen) = measurements();
    let guess = Spring { stiffness: 3.5, damping: 0.1 };
    // The derivative of the whole sum, in one call: 500 steps forward and 500 back.
    let (value, (slope, _, _)) = misfit::value_and_grad()?.call((guess, start, &seen[..]))?;
    println!("misfit {value:.6}, its gradient {slope:?}");
    let (found, misfits) = fit(guess, start, &seen)?;
    for (step, misfit) in misfits.iter().enumerate() {
        println!("step {step}: misfit {misfit:.3e}");
    }
    println!("found {found:?}, it is {spring:?}");
    Ok(())
}
