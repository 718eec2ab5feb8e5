//! Figures of samples: quartiles, ratios, and how sure they are.
//!
//! Intervals are by the bootstrap (Efron 1979): a statistic of samples that are drawn with repetition from those at hand, again and
//! again; the interval leaves out the 2.5 % at either end. What is drawn depends on the number of samples alone, so the same samples
//! give the same interval.

use std::fmt;

/// How often a bootstrap draws.
const DRAWS: usize = 1000;
/// The part of the draws that lies below an interval, and above.
const TAIL: f64 = 0.025;

/// A figure with its interval, which 95 % of draws lie in.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The figure itself.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Estimate {
    /// Estimates a statistic of `count` samples, which it is told by their numbers, some of them several times; there is at least one.
    pub fn new(count: usize, mut statistic: impl FnMut(&[usize]) -> f64) -> Estimate {
        let mut drawn: Vec<usize> = (0..count).collect();
        let value = statistic(&drawn);
        let mut random = Random(count as u64);
        let mut draws: Vec<f64> = (0..DRAWS)
            .map(|_| {
                drawn.iter_mut().for_each(|i| *i = random.below(count));
                statistic(&drawn)
            })
            .collect();
        draws.sort_by(f64::total_cmp);
        Estimate { value, low: quantile(&draws, TAIL), high: quantile(&draws, 1.0 - TAIL) }
    }

    /// Whether the intervals have a number in common. Where they have, nothing is said of which figure is larger.
    pub fn meets(&self, other: &Estimate) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

impl fmt::Display for Estimate {
    /// As `1.23 [1.20, 1.26]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [value, low, high] = [self.value, self.low, self.high].map(super::units::ratio);
        write!(f, "{value} [{low}, {high}]")
    }
}

/// The median of samples, with its interval.
pub fn typical(samples: &[f64]) -> Estimate {
    Estimate::new(samples.len(), |drawn| median(&mut drawn.iter().map(|&i| samples[i]).collect::<Vec<_>>()))
}

/// How many times as much as others some samples are, which were measured in turns with them: the median over pairs of neighbours.
pub fn ratio(samples: &[f64], by: &[f64]) -> Estimate {
    typical(&samples.iter().zip(by).map(|(a, b)| a / b).collect::<Vec<f64>>())
}

/// The geometric mean of positive numbers.
pub fn geometric_mean(numbers: &[f64]) -> Estimate {
    let logs: Vec<f64> = numbers.iter().map(|v| v.ln()).collect();
    Estimate::new(logs.len(), |drawn| (drawn.iter().map(|&i| logs[i]).sum::<f64>() / drawn.len() as f64).exp())
}

/// The first quartile, the median and the third quartile of samples, of which there is at least one.
pub fn quartiles(samples: &[f64]) -> [f64; 3] {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    [0.25, 0.5, 0.75].map(|part| quantile(&sorted, part))
}

/// How many samples lie more than one and a half times the distance of the quartiles outside of them (Tukey 1977).
pub fn outliers(samples: &[f64]) -> usize {
    let [first, _, third] = quartiles(samples);
    let reach = 1.5 * (third - first);
    samples.iter().filter(|&&v| v < first - reach || v > third + reach).count()
}

/// The median of samples, which are sorted for it; there is at least one.
pub fn median(samples: &mut [f64]) -> f64 {
    samples.sort_by(f64::total_cmp);
    quantile(samples, 0.5)
}

/// The number below which a part of sorted samples lies, on the line between neighbours (Hyndman and Fan 1996, definition 7).
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let at = part * (sorted.len() - 1) as f64;
    let below = sorted[at as usize];
    let above = sorted[at.ceil() as usize];
    below + (above - below) * at.fract()
}

/// Numbers that look drawn by lot: SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    /// A number below `count`.
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * count as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_of_few_samples() {
        assert_eq!(quartiles(&[5.0]), [5.0; 3]);
        assert_eq!(quartiles(&[3.0, 1.0]), [1.5, 2.0, 2.5]);
        assert_eq!(quartiles(&[4.0, 1.0, 3.0, 2.0]), [1.75, 2.5, 3.25]);
        assert_eq!(quartiles(&[5.0, 1.0, 4.0, 2.0, 3.0]), [2.0, 3.0, 4.0]);
        assert_eq!((median(&mut [3.0, 1.0, 2.0]), median(&mut [4.0, 1.0, 2.0, 3.0])), (2.0, 2.5));
    }

    #[test]
    fn outliers_lie_far_outside() {
        assert_eq!(outliers(&[1.0; 9]), 0);
        assert_eq!(outliers(&[1.0, 2.0, 3.0, 4.0, 5.0, 100.0]), 1);
        assert_eq!(outliers(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.1, 0.5]), 2);
    }

    #[test]
    fn samples_that_are_one_number_leave_no_doubt() {
        assert_eq!(typical(&[2.5; 7]), Estimate { value: 2.5, low: 2.5, high: 2.5 });
        assert_eq!(ratio(&[3.0; 7], &[2.0; 7]), Estimate { value: 1.5, low: 1.5, high: 1.5 });
        let mean = geometric_mean(&[2.0, 8.0]);
        assert!(
            (mean.value - 4.0).abs() < 1e-15 && (mean.low - 2.0).abs() < 1e-15 && (mean.high - 8.0).abs() < 1e-14,
            "{mean:?}"
        );
    }

    #[test]
    fn intervals() {
        // Of 1 to 99 the median is 50, with a standard error of about 5.5 (Laplace: 1 / (2 f √n) = 99 / (2 √99), by √(1/4) less).
        let samples: Vec<f64> = (1..=99).map(f64::from).collect();
        let e = typical(&samples);
        assert_eq!(e, typical(&samples));
        assert_eq!(e.value, 50.0);
        assert!((38.0..=44.0).contains(&e.low) && (56.0..=62.0).contains(&e.high), "{e:?}");
        let shifted = typical(&samples.iter().map(|v| v + 10.0).collect::<Vec<_>>());
        assert!(e.meets(&shifted) && shifted.meets(&e));
        assert!(!e.meets(&typical(&samples.iter().map(|v| v + 60.0).collect::<Vec<_>>())));
        assert_eq!(Estimate { value: 1.234, low: 1.2, high: 12.34 }.to_string(), "1.23 [1.20, 12.3]");
    }

    #[test]
    fn draws_are_even() {
        let mut random = Random(7);
        let mut counts = [0_usize; 10];
        (0..10_000).for_each(|_| counts[random.below(10)] += 1);
        assert!(counts.iter().all(|c| (900..1100).contains(c)), "{counts:?}");
    }
}
