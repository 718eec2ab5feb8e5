//! What a study says while it runs, on standard error: a bar on a terminal, lines elsewhere.

use super::answer;
use std::io::{IsTerminal, stderr};
use std::time::Instant;

/// The width of a bar.
const WIDTH: usize = 24;

/// How far a study is.
pub struct Progress {
    is_terminal: bool,
    count: usize,
    /// Cases that are done, and those that were done by an earlier run.
    done: usize,
    known: usize,
    start: Instant,
}

impl Progress {
    pub fn new(count: usize) -> Progress {
        Progress { is_terminal: stderr().is_terminal(), count, done: 0, known: 0, start: Instant::now() }
    }

    /// A case was measured by an earlier run.
    pub fn known(&mut self) {
        self.known += 1;
        self.done += 1;
        if self.done == self.count {
            self.end();
        }
    }

    pub fn begin(&self, name: &str) {
        if self.is_terminal {
            let measured = self.done - self.known;
            let left = self.start.elapsed().as_secs_f64() / measured.max(1) as f64 * (self.count - self.done) as f64;
            let left = if measured > 0 { format!(", {:.0} min left", (left / 60.0).ceil()) } else { String::new() };
            answer::say(stderr(), &format!("\r\x1b[K{} {}/{}{left}  {name}", bar(self.done, self.count), self.done, self.count));
        }
    }

    pub fn done(&mut self, name: &str, ways: usize, seconds: f64) {
        self.done += 1;
        if !self.is_terminal {
            answer::say(stderr(), &format!("{}/{} {name}: {ways} rows, {seconds:.1} s\n", self.done, self.count));
        }
        if self.done == self.count {
            self.end();
        }
    }

    fn end(&self) {
        if self.is_terminal {
            answer::say(stderr(), "\r\x1b[K");
        }
        if self.known > 0 {
            answer::say(
                stderr(),
                &format!("{} of {} cases were measured before; --fresh measures them anew\n", self.known, self.count),
            );
        }
    }
}

fn bar(done: usize, count: usize) -> String {
    let full = WIDTH * done / count.max(1);
    format!("[{}{}]", "#".repeat(full), "-".repeat(WIDTH - full))
}

#[cfg(test)]
mod tests {
    #[test]
    fn bars() {
        assert_eq!(super::bar(0, 4), format!("[{}]", "-".repeat(24)));
        assert_eq!(super::bar(1, 4), format!("[{}{}]", "#".repeat(6), "-".repeat(18)));
    }
}
