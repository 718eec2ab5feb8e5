//! How long calls take: medians over batches that are long enough for the clock.

use gradus::Error;
use gradus::compare::median;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The least time of a batch.
const BATCH: Duration = Duration::from_millis(1);
/// How many batches are measured, at least and at most.
const LEAST: usize = 7;
const MOST: usize = 400;

/// The median time of a call in seconds, of calls that fill the budget.
pub fn median_of<T>(budget: Duration, mut call: impl FnMut() -> Result<T, Error>) -> Result<f64, Error> {
    let (start, mut times) = (Instant::now(), Vec::new());
    while times.is_empty() || start.elapsed() < budget && times.len() < MOST {
        times.push(batch(&mut call, 1)?);
    }
    Ok(median(&mut times))
}

/// The times of a function and of its gradient, in seconds, measured in turns: what disturbs one disturbs the other.
pub struct Pair {
    primal: Vec<f64>,
    gradient: Vec<f64>,
}

impl Pair {
    /// Measures both until the budget is spent.
    pub fn measure<P, G>(
        budget: Duration,
        mut primal: impl FnMut() -> Result<P, Error>,
        mut gradient: impl FnMut() -> Result<G, Error>,
    ) -> Result<Pair, Error> {
        let (primal_calls, gradient_calls) = (calibrate(&mut primal)?, calibrate(&mut gradient)?);
        let (start, mut pair) = (Instant::now(), Pair { primal: Vec::new(), gradient: Vec::new() });
        while pair.primal.len() < LEAST || start.elapsed() < budget && pair.primal.len() < MOST {
            pair.primal.push(batch(&mut primal, primal_calls)?);
            pair.gradient.push(batch(&mut gradient, gradient_calls)?);
        }
        Ok(pair)
    }

    pub fn primal(&self) -> f64 {
        median(&mut self.primal.clone())
    }

    pub fn gradient(&self) -> f64 {
        median(&mut self.gradient.clone())
    }

    /// The median of the ratios of neighbouring batches.
    pub fn ratio(&self) -> f64 {
        let mut ratios: Vec<f64> = self.primal.iter().zip(&self.gradient).map(|(p, g)| g / p).collect();
        median(&mut ratios)
    }

    pub fn primal_min(&self) -> f64 {
        least(&self.primal)
    }

    pub fn gradient_min(&self) -> f64 {
        least(&self.gradient)
    }
}

fn least(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The number of calls that fill a batch.
fn calibrate<T>(call: &mut impl FnMut() -> Result<T, Error>) -> Result<u32, Error> {
    call()?;
    let mut calls = 1;
    loop {
        let taken = batch(call, calls)? * f64::from(calls);
        let wanted = BATCH.as_secs_f64();
        if taken > wanted || calls > 1 << 26 {
            return Ok(calls);
        }
        calls =
            if taken < wanted / 100.0 { calls * 16 } else { (calls * 2).max((f64::from(calls) * 1.2 * wanted / taken) as u32) };
    }
}

/// The time of one of so many calls in a row, and of dropping its answer.
fn batch<T>(call: &mut impl FnMut() -> Result<T, Error>, calls: u32) -> Result<f64, Error> {
    let start = Instant::now();
    for _ in 0..calls {
        black_box(call()?);
    }
    Ok(start.elapsed().as_secs_f64() / f64::from(calls))
}
