//! What runs of a compiled program take.

use crate::{Compiled, Error};
use gradus_backend::{Interp, RunError, Usage};
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

/// Runs a program until the effort is made. The first runs, which meet cold caches, are not counted. What is measured is code, not
/// how its arguments and results become values.
pub(super) fn measure(compiled: &Compiled, args: &[Value], effort: &Effort) -> Result<Run, Error> {
    match compiled.native() {
        Some(code) => {
            let (answer, usage) = code.run_with_usage(args)?;
            let mut run = code.prepare(args)?;
            let (seconds, runs) = repeat(|| run().map(|_| ()), effort)?;
            Ok(Run { answer, usage, seconds, runs })
        }
        None => {
            let code = Interp::new(&compiled.stages().lowered)?;
            let (answer, usage) = code.run_with_usage(args)?;
            let (seconds, runs) = repeat(|| code.run(args).map(|_| ()), effort)?;
            Ok(Run { answer, usage, seconds, runs })
        }
    }
}

/// The median time of runs, and their number.
fn repeat(mut run: impl FnMut() -> Result<(), RunError>, effort: &Effort) -> Result<(f64, usize), Error> {
    let mut sample = |runs: usize| -> Result<f64, Error> {
        let start = Instant::now();
        for _ in 0..runs {
            run()?;
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
    Ok((median(&mut samples), samples.len() * at_once))
}

/// The median of samples, which are sorted for it; there is at least one.
pub fn median(samples: &mut [f64]) -> f64 {
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
