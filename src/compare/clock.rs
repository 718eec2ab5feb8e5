//! The clocks that measure runs.

use std::time::{Duration, Instant};

/// What counts as the time of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Clock {
    /// The time that passes.
    #[default]
    Wall,
    /// The time that this process spends on processors, all its threads together: what else the machine does counts least. Where the
    /// system has no such clock, it is the time that passes.
    Cpu,
}

impl Clock {
    /// Seconds from a call of `start` on.
    pub(super) fn since(self, start: Start) -> f64 {
        match (self, cpu_time(), start.cpu) {
            (Clock::Cpu, Some(now), Some(start)) => now.saturating_sub(start).as_secs_f64(),
            _ => start.wall.elapsed().as_secs_f64(),
        }
    }

    pub(super) fn start(self) -> Start {
        Start { cpu: if self == Clock::Cpu { cpu_time() } else { None }, wall: Instant::now() }
    }
}

/// A moment on both clocks.
#[derive(Clone, Copy)]
pub(super) struct Start {
    wall: Instant,
    cpu: Option<Duration>,
}

#[cfg(unix)]
fn cpu_time() -> Option<Duration> {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(now).ok()
}

#[cfg(not(unix))]
fn cpu_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_go_on() {
        for clock in [Clock::Wall, Clock::Cpu] {
            let start = clock.start();
            let sum: f64 = (0..100_000).map(|i| std::hint::black_box(f64::from(i)).sqrt()).sum();
            assert!(sum > 0.0 && clock.since(start) > 0.0, "{clock:?}");
        }
    }
}
