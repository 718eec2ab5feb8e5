//! What runs of compiled programs take, measured in turns.

use super::statistics::median;
use super::{Clock, Timed, Turns};
use crate::{Backend, Compiled, Error};
use gradus_backend::{Interp, Usage};
use gradus_ir::Value;
use std::time::Duration;

/// How long to measure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    /// The time, in seconds, that measured runs of one program take together. A few are measured in any case.
    pub seconds: f64,
    /// What their time is.
    pub clock: Clock,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { seconds: 0.2, clock: Clock::Wall }
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
    /// The time of a run in each turn. Turns have the same number in all that is compared.
    pub times: Vec<f64>,
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

/// Runs programs on arguments of theirs, those that do not fail in turns. What is measured is code, not how its arguments and results
/// become values.
pub(super) fn measure(programs: &[(&Compiled, &[Value])], effort: &Effort) -> Result<Vec<Result<Run, Error>>, Error> {
    let once: Vec<Result<(Value, Usage), Error>> = programs.iter().map(|(compiled, args)| run(compiled, args)).collect();
    let running = programs.iter().zip(&once).filter(|(_, once)| once.is_ok());
    let mut calls =
        running.map(|((compiled, args), _)| timed(compiled, args, effort.clock)).collect::<Result<Vec<Timed>, Error>>()?;
    let seconds = effort.seconds * calls.len() as f64;
    let budget = Duration::try_from_secs_f64(seconds).map_err(|e| Error::Arguments(format!("{seconds} seconds: {e}")))?;
    let turns = Turns::measure(budget, &mut calls)?;
    let mut measured = 0..;
    let runs = once.into_iter().map(|once| {
        once.map(|(answer, usage)| {
            let at = measured.next().expect("without end");
            let mut times = turns.times(at).to_vec();
            Run { answer, usage, times: times.clone(), seconds: median(&mut times), runs: turns.runs(at) }
        })
    });
    Ok(runs.collect())
}

/// The answer of a program, and the memory that a run takes which meets no memory of earlier runs.
fn run(compiled: &Compiled, args: &[Value]) -> Result<(Value, Usage), Error> {
    let by_interpreter = || Interp::new(&compiled.stages().lowered)?.run_with_usage(args).map_err(Error::from);
    Ok(match compiled.native() {
        Some(code) => code.run_with_usage(args)?,
        // XLA does not say what it keeps; the program keeps the same values by whatever runs it.
        None if compiled.backend() == Backend::Xla => (compiled.run(args)?, by_interpreter()?.1),
        None => by_interpreter()?,
    })
}

/// A run to be measured, whose result is dropped.
fn timed<'a>(compiled: &'a Compiled, args: &'a [Value], clock: Clock) -> Result<Timed<'a>, Error> {
    Ok(match compiled.native() {
        Some(code) => {
            let mut run = code.prepare(args)?;
            Timed::by(clock, move || Ok(run()?))
        }
        None if compiled.backend() == Backend::Xla => Timed::by(clock, move || compiled.run(args).map(drop)),
        None => {
            let code = Interp::new(&compiled.stages().lowered)?;
            Timed::by(clock, move || Ok(code.run(args).map(drop)?))
        }
    })
}
