//! What runs of a compiled program take.

use crate::{Compiled, Error};
use gradus_backend::{Interp, RunError, Usage, jit};
use gradus_ir::Value;
use std::time::Instant;

/// The shortest time that is measured at once, in seconds: shorter runs are measured several at a time.
const SAMPLE: f64 = 2e-5;

/// How long to measure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    /// The least time, in seconds, that measured runs of one program take together.
    pub seconds: f64,
    /// The least number of measured runs.
    pub runs: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { seconds: 0.2, runs: 5 }
    }
}

/// What runs of a program on the same arguments took.
#[derive(Clone, Debug)]
pub struct Run {
    /// The answer.
    pub answer: Value,
    /// What one run takes of memory.
    pub usage: Usage,
    /// The median time of a run.
    pub seconds: f64,
    /// How many runs were measured.
    pub runs: usize,
}

impl Run {
    /// Bytes of all that a run keeps: closures, boxes, records of tapes.
    pub fn memory(&self) -> usize {
        self.usage.heap_bytes + self.usage.tape_bytes
    }

    /// Bytes of tape per record.
    pub fn record_bytes(&self) -> Option<f64> {
        (self.usage.records > 0).then(|| self.usage.tape_bytes as f64 / self.usage.records as f64)
    }
}

/// A program that is ready to be run again and again.
enum Executor<'c> {
    Jit(&'c jit::Compiled),
    Interp(Interp),
}

impl Executor<'_> {
    fn run(&self, args: &[Value]) -> Result<(Value, Usage), RunError> {
        match self {
            Executor::Jit(code) => code.run_with_usage(args),
            Executor::Interp(code) => code.run_with_usage(args),
        }
    }
}

/// Runs a program until the effort is made. The first runs, which meet cold caches, are not counted.
pub(super) fn measure(compiled: &Compiled, args: &[Value], effort: &Effort) -> Result<Run, Error> {
    let executor = match compiled.native() {
        Some(code) => Executor::Jit(code),
        None => Executor::Interp(Interp::new(&compiled.stages().lowered)?),
    };
    let (answer, usage) = executor.run(args)?;
    let sample = |runs: usize| -> Result<f64, Error> {
        let start = Instant::now();
        for _ in 0..runs {
            std::hint::black_box(executor.run(args)?);
        }
        Ok(start.elapsed().as_secs_f64())
    };
    let once = sample(1)?;
    let at_once = if once < SAMPLE { (SAMPLE / once.max(1e-9)).ceil() as usize } else { 1 };
    let (mut samples, mut total) = (Vec::new(), 0.0);
    while total < effort.seconds || samples.len() * at_once < effort.runs || samples.is_empty() {
        let seconds = sample(at_once)?;
        total += seconds;
        samples.push(seconds / at_once as f64);
    }
    Ok(Run { answer, usage, seconds: median(&mut samples), runs: samples.len() * at_once })
}

fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    let middle = samples.len() / 2;
    if samples.len() % 2 == 1 { samples[middle] } else { (samples[middle - 1] + samples[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    #[test]
    fn medians() {
        assert_eq!(super::median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(super::median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}
