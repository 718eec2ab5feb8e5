//! Which of two ways is the faster one, if that can be said.

use super::record::{Code, Times};
use crate::compare::{Estimate, ratio};

/// The logarithm of the smallest ratio of times that counts as a difference: 5 %.
pub const SMALL: f64 = 0.048_790_164_169_432;

/// How two ways to the same derivative compare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// They make the same program, so they take the same time.
    Same,
    First,
    Second,
    /// Neither is faster.
    Open,
}

/// Compares two ways that were measured in turns: the verdict, and the time of the first by that of the second.
pub fn compare((code, a): (&Code, &Times), (other, b): (&Code, &Times)) -> (Verdict, Estimate) {
    let times = ratio(&a.times, &b.times);
    let verdict = match times.value.ln() {
        _ if code.program == other.program => Verdict::Same,
        _ if interval(a).meets(&interval(b)) => Verdict::Open,
        log if log < -SMALL => Verdict::First,
        log if log > SMALL => Verdict::Second,
        _ => Verdict::Open,
    };
    (verdict, times)
}

/// The time by that of the function itself, with its interval.
pub fn interval(times: &Times) -> Estimate {
    let [value, low, high] = times.ratio;
    Estimate { value, low, high }
}

/// The name of a strategy at each of some orders.
pub fn throughout(strategy: &str, order: usize) -> String {
    vec![strategy; order].join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Code of a number, and runs whose time by that of the function itself is this, more or less.
    fn way(program: &str, ratio: f64, spread: f64) -> (Code, Times) {
        let code = Code {
            program: program.into(),
            mode: None,
            nodes_typed: 1,
            nodes_lowered: 1,
            code_bytes: None,
            closure_sites: None,
            indirect_calls: None,
            compile_seconds: 0.0,
        };
        let times = Times {
            times: vec![ratio; 9],
            runs: 9,
            least: ratio,
            quartiles: [ratio; 3],
            median: [ratio; 2],
            outliers: 0,
            ratio: [ratio, ratio - spread, ratio + spread],
            objects: 0,
            heap_bytes: 0,
            tape_bytes: 0,
            records: 0,
            array_operations: 0,
            difference: 0.0,
        };
        (code, times)
    }

    #[test]
    fn verdicts_need_intervals_that_do_not_meet_and_a_difference() {
        let verdict = |a: &(Code, Times), b: &(Code, Times)| compare((&a.0, &a.1), (&b.0, &b.1)).0;
        let slow = way("a", 2.0, 0.1);
        assert_eq!(verdict(&way("b", 1.0, 0.1), &slow), Verdict::First);
        assert_eq!(verdict(&slow, &way("b", 1.0, 0.1)), Verdict::Second);
        assert_eq!(verdict(&way("b", 1.0, 0.95), &slow), Verdict::Open);
        assert_eq!(verdict(&way("b", 1.95, 0.001), &way("c", 2.0, 0.001)), Verdict::Open);
        assert_eq!(verdict(&way("a", 1.0, 0.1), &slow), Verdict::Same);
        assert!((SMALL.exp() - 1.05).abs() < 1e-12);
    }
}
