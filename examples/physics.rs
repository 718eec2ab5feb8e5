//! A pendulum with friction, simulated step by step, and its friction found from what was observed: the gradient goes through the whole
//! simulation, in reverse, and a structure of parameters has a gradient of its own type.
//!
//! ```console
//! $ cargo run --release --example physics
//! ```

use gradus::{Argument, Constant, Engine, Error, Program, Record, Source};

const PENDULUM: &str = "
import math
from dataclasses import dataclass

@dataclass(frozen=True)
class Pendulum:
    length: float
    friction: float

def simulate(pendulum, angle, steps):
    speed = 0.0
    for i in range(steps):
        speed = speed - 0.01 * (9.81 / pendulum.length * math.sin(angle) + pendulum.friction * speed)
        angle = angle + 0.01 * speed
    return angle

def misfit(pendulum, angle, observed):
    total = 0.0
    for i in range(len(observed)):
        total = total + (simulate(pendulum, angle, 50 * (i + 1)) - observed[i]) ** 2
    return total
";

/// The parameters of the simulation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pendulum {
    /// In metres.
    pub length: f64,
    /// Per second.
    pub friction: f64,
}

impl Record for Pendulum {
    const NAME: &'static str = "Pendulum";
    const FIELDS: &'static [&'static str] = &["length", "friction"];
    type Fields = (f64, f64);
    type Gradient = Pendulum;
    fn fields(&self) -> impl Argument<(f64, f64)> {
        (self.length, self.friction)
    }
    fn from_fields((length, friction): (f64, f64)) -> Pendulum {
        Pendulum { length, friction }
    }
}

fn program() -> Result<Program, Error> {
    Engine::default().parse(Source::new("pendulum.py", PENDULUM))
}

/// The angle of a pendulum each half second.
pub fn observe(pendulum: Pendulum, angle: f64, count: i64) -> Result<Vec<f64>, Error> {
    let simulate = program()?.function("simulate")?.typed::<(Pendulum, f64, i64), f64>()?;
    (1..=count).map(|i| simulate.call((pendulum, angle, 50 * i))).collect()
}

/// The pendulum that was observed, by steps along the gradient whose length follows from the last two of them (Barzilai and Borwein).
pub fn fit(guess: Pendulum, angle: f64, observed: &[f64], steps: usize) -> Result<Pendulum, Error> {
    let misfit = program()?.function("misfit")?.grad::<(Pendulum, Constant<f64>, Constant<Vec<f64>>)>()?;
    let (mut p, mut before): (Pendulum, Option<(Pendulum, Pendulum)>) = (guess, None);
    for _ in 0..steps {
        let (g, (), ()) = misfit.call((&p, angle, observed))?;
        let size = before.map_or(1e-3, |(q, h)| {
            let (dp, dg) = ([p.length - q.length, p.friction - q.friction], [g.length - h.length, g.friction - h.friction]);
            let curvature = dg[0] * dg[0] + dg[1] * dg[1];
            if curvature == 0.0 { 0.0 } else { (dp[0] * dg[0] + dp[1] * dg[1]).abs() / curvature }
        });
        before = Some((p, g));
        p = Pendulum { length: p.length - size * g.length, friction: p.friction - size * g.friction };
    }
    Ok(p)
}

/// Observes a pendulum and finds it again.
pub fn main() -> Result<(), Error> {
    let observed = observe(Pendulum { length: 1.0, friction: 0.3 }, 0.8, 8)?;
    let found = fit(Pendulum { length: 1.1, friction: 0.1 }, 0.8, &observed, 60)?;
    println!("length {:.6}, friction {:.6}", found.length, found.friction);
    Ok(())
}
