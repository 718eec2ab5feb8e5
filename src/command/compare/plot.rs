//! Time and memory over a sweep, drawn.

use super::super::answer;
use gradus::compare::{Comparer, Run, Sweep, number};
use gradus::plot::{Line, svg};
use gradus::{Error, Simplify};
use std::path::Path;

/// Draws the sweep of `call` into an SVG file.
pub fn draw(path: &Path, call: &str, name: &str, comparer: &Comparer, sweep: &Sweep) -> Result<(), Error> {
    let values: Vec<f64> = sweep.points.iter().filter_map(|(at, _)| number(at)).collect();
    if values.iter().any(|&v| v <= 0.0) {
        return Err(Error::Arguments(format!("--plot has logarithmic axes; sweep values of {name} above 0")));
    }
    let text = svg(call, name, &lines(comparer, sweep, |r| r.seconds), &lines(comparer, sweep, |r| r.memory() as f64))?;
    answer::write(path, &text)
}

/// The cost of the function itself, and by each way.
fn lines(comparer: &Comparer, sweep: &Sweep, cost: impl Fn(&Run) -> f64) -> Vec<Line> {
    let mut lines: Vec<Line> = vec![("value".into(), Vec::new())];
    lines.extend(comparer.ways().iter().map(|(way, compiled)| match way.options.simplify {
        Simplify::Interleaved => (super::name(way, compiled), Vec::new()),
        other => (format!("{}, simplified {}", super::name(way, compiled), other.name()), Vec::new()),
    }));
    for (at, comparison) in &sweep.points {
        let runs = std::iter::once(Some(&comparison.value)).chain(comparison.rows.iter().map(|row| row.run.as_ref().ok()));
        for (line, run) in lines.iter_mut().zip(runs) {
            line.1.extend(number(at).zip(run.map(&cost)).filter(|&(_, cost)| cost > 0.0));
        }
    }
    lines
}
