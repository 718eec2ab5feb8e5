//! How long calls take that are measured in turns: what disturbs one disturbs the others.

use super::Clock;
use super::statistics::{median, ratio};
use crate::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The least time of a batch.
const BATCH: Duration = Duration::from_millis(1);
/// How many batches are measured, at least and at most.
const LEAST: usize = 7;
const MOST: usize = 400;

/// A call to be measured.
pub struct Timed<'a> {
    /// The time of one of so many calls in a row, and of dropping its answer, in seconds.
    batch: Box<dyn FnMut(u32) -> Result<f64, Error> + 'a>,
}

impl<'a> Timed<'a> {
    /// A call to be measured, in time that passes.
    pub fn new<T>(call: impl FnMut() -> Result<T, Error> + 'a) -> Timed<'a> {
        Timed::by(Clock::Wall, call)
    }

    /// A call to be measured by a clock.
    pub fn by<T>(clock: Clock, mut call: impl FnMut() -> Result<T, Error> + 'a) -> Timed<'a> {
        let batch = move |calls: u32| {
            let start = clock.start();
            for _ in 0..calls {
                black_box(call()?);
            }
            Ok(clock.since(start) / f64::from(calls))
        };
        Timed { batch: Box::new(batch) }
    }

    /// The median time of a call in seconds, of calls that fill the budget.
    pub fn median(mut self, budget: Duration) -> Result<f64, Error> {
        let (start, mut times) = (Instant::now(), Vec::new());
        while times.is_empty() || start.elapsed() < budget && times.len() < MOST {
            times.push((self.batch)(1)?);
        }
        Ok(median(&mut times))
    }

    /// The number of calls that fill a batch.
    fn calibrate(&mut self) -> Result<u32, Error> {
        (self.batch)(1)?;
        let mut calls = 1;
        loop {
            let taken = (self.batch)(calls)? * f64::from(calls);
            let wanted = BATCH.as_secs_f64();
            if taken > wanted || calls > 1 << 26 {
                return Ok(calls);
            }
            let estimate = (f64::from(calls) * 1.2 * wanted / taken) as u32;
            calls = if taken < wanted / 100.0 { calls * 16 } else { (calls * 2).max(estimate) };
        }
    }
}

/// The times of some calls.
#[derive(Clone, Debug)]
pub struct Turns {
    /// Of each call, the time of one in each batch, in seconds.
    times: Vec<Vec<f64>>,
    /// The number of calls in a batch.
    counts: Vec<u32>,
}

impl Turns {
    /// Measures batches of each call in turns, until the budget is spent.
    pub fn measure(budget: Duration, calls: &mut [Timed]) -> Result<Turns, Error> {
        let counts = calls.iter_mut().map(Timed::calibrate).collect::<Result<Vec<u32>, Error>>()?;
        let (start, mut rounds) = (Instant::now(), 0);
        let mut turns = Turns { times: vec![Vec::new(); calls.len()], counts };
        while rounds < LEAST || start.elapsed() < budget && rounds < MOST {
            for ((call, &count), times) in calls.iter_mut().zip(&turns.counts).zip(&mut turns.times) {
                times.push((call.batch)(count)?);
            }
            rounds += 1;
        }
        Ok(turns)
    }

    /// The time of a call in each batch, in seconds.
    pub fn times(&self, call: usize) -> &[f64] {
        &self.times[call]
    }

    /// How many calls were measured.
    pub fn runs(&self, call: usize) -> usize {
        self.times[call].len() * self.counts[call] as usize
    }

    /// The median time of a call.
    pub fn median(&self, call: usize) -> f64 {
        median(&mut self.times[call].clone())
    }

    /// The least time of a call.
    pub fn least(&self, call: usize) -> f64 {
        self.times[call].iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The time of a call by that of another: the median over neighbouring batches.
    pub fn ratio(&self, call: usize, by: usize) -> f64 {
        ratio(&self.times[call], &self.times[by]).value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_of_neighbours() {
        let turns = Turns { times: vec![vec![1.0, 10.0, 2.0], vec![2.0, 20.0, 6.0]], counts: vec![1, 2] };
        assert_eq!((turns.median(0), turns.least(1), turns.ratio(1, 0), turns.runs(1)), (2.0, 2.0, 2.0, 6));
        let mut calls = [0, 0];
        let [a, b] = &mut calls;
        let count = |calls: &mut i32| {
            *calls += 1;
            Ok(*calls)
        };
        let mut timed = [Timed::new(|| count(a)), Timed::new(|| count(b))];
        let turns = Turns::measure(Duration::ZERO, &mut timed).expect("no call fails");
        drop(timed);
        assert!(turns.times.iter().all(|times| times.len() == LEAST) && calls.iter().all(|&calls| calls > LEAST as i32));
    }
}
