//! A comparison as text.

use super::table::{self, Table, or_dash};
use super::{Compared, Measured, Swept, name, step};
use gradus::compare::{Comparison, Growth, Run, Sweep, Way, ratio, units};
use gradus::explain;
use gradus::{Compiled, Decision, Simplify, Strategy};
use gradus_ir::Source;
use std::sync::Arc;

/// All there is to say.
pub fn text(c: &Compared, source: &Source, explain: bool, with_overhead: bool) -> String {
    let mut parts = Vec::new();
    match &c.result {
        Measured::One(comparison) => {
            let itself = itself(c.comparer.value(), &comparison.value);
            parts.push(format!("{} in {}, {}\n{itself}\n", c.call, c.file, c.backend));
            parts.push(costs(c, comparison).to_string() + &apart(c, comparison) + &failures(c, comparison));
            if with_overhead {
                parts.push(format!("operations on arrays, kernels of several counted once\n{}", overhead(c, comparison)));
            }
            parts.push(format!("compile time by pass\n{}", passes(c)));
        }
        Measured::Over(swept, sweep) => {
            parts.push(format!("{} in {}, {}\n", c.call, c.file, c.backend));
            let failed = sweep.points.iter().map(|(_, comparison)| failures(c, comparison)).collect::<String>();
            parts.push(points(c, swept, sweep).to_string() + &failed);
            parts.push(format!(
                "growth with {0}: e of {0}^e, over the larger half of the values\n{1}",
                swept.name,
                growth(c, sweep)
            ));
        }
    }
    parts.extend(kept(c, source));
    parts.extend(notes(c, explain));
    parts.join("\n")
}

/// What the function itself takes.
fn itself(compiled: &Compiled, run: &Run) -> String {
    let code = compiled.native().map(|code| format!(", {} of code", units::bytes(code.stats().code_bytes)));
    format!("its value: {} nodes{}, {} a run", compiled.report().nodes.1, code.unwrap_or_default(), units::time(run.seconds))
}

/// One row for each way.
fn costs(c: &Compared, comparison: &Comparison) -> Table {
    let head = ["strategy", "simplified", "nodes", "code", "compile", "run", "× value", "closures", "heap", "tape", "a record"];
    let mut table = Table::new(2, head.into_iter().chain(["difference"]));
    for (i, (way, compiled)) in c.comparer.ways().iter().enumerate() {
        let (report, code) = (compiled.report(), compiled.native().map(|code| code.stats().code_bytes));
        let seconds = report.seconds().iter().map(|(_, s)| s).sum();
        let mut cells = vec![
            name(way, compiled),
            way.options.simplify.name().into(),
            format!("{} → {}", report.nodes.0, report.nodes.1),
            or_dash(code, units::bytes),
            units::time(seconds),
        ];
        cells.extend(run(comparison, i));
        table.row(cells);
    }
    table
}

/// The time by stacks by that by closures, both in the first order of simplification, with the interval that 95 % of draws lie in.
fn apart(c: &Compared, comparison: &Comparison) -> String {
    let run = |strategy: Strategy| {
        let is_it = |way: &Way| way.options.plan.orders.iter().all(|s| *s == strategy) && !way.request.is_forward();
        let at = c.comparer.ways().iter().position(|(way, _)| is_it(way))?;
        comparison.rows[at].run.as_ref().ok()
    };
    match (run(Strategy::Stack), run(Strategy::Closure)) {
        (Some(stack), Some(closure)) => format!("stack ÷ closure: {} of the time\n", ratio(&stack.times, &closure.times)),
        _ => String::new(),
    }
}

/// What runs of a row took.
fn run(comparison: &Comparison, i: usize) -> [String; 7] {
    let run = comparison.rows[i].run.as_ref().ok();
    let [closures, heap, tape, record] = memory(run);
    [
        run.map_or_else(|| "failed".into(), |r| units::time(r.seconds)),
        or_dash(comparison.ratio(i), |r| units::ratio(r.value)),
        closures,
        heap,
        tape,
        record,
        or_dash(comparison.rows[i].difference, table::difference),
    ]
}

/// Operations on arrays of each way, and the time of the run divided by their number.
fn overhead(c: &Compared, comparison: &Comparison) -> Table {
    let mut table = Table::new(2, ["strategy", "simplified", "operations", "time each"]);
    for ((way, compiled), row) in c.comparer.ways().iter().zip(&comparison.rows) {
        let run = row.run.as_ref().ok().filter(|run| run.usage.operations > 0);
        table.row([
            name(way, compiled),
            way.options.simplify.name().into(),
            or_dash(run, |run| run.usage.operations.to_string()),
            or_dash(run, |run| units::time(run.seconds / run.usage.operations as f64)),
        ]);
    }
    table
}

/// Closures, heap, tape, and tape per record.
fn memory(run: Option<&Run>) -> [String; 4] {
    let record = run.and_then(Run::record_bytes);
    [
        or_dash(run, |r| r.usage.objects.to_string()),
        or_dash(run, |r| units::bytes(r.usage.heap_bytes)),
        or_dash(run, |r| units::bytes(r.usage.tape_bytes)),
        or_dash(record, |b| units::bytes(b.round() as usize)),
    ]
}

/// How rows failed, a line each.
fn failures(c: &Compared, comparison: &Comparison) -> String {
    let rows = c.comparer.ways().iter().zip(&comparison.rows);
    let failed = rows.filter_map(|((way, compiled), row)| Some((way, compiled, row.run.as_ref().err()?)));
    failed.map(|(way, compiled, e)| format!("{}, {}: {e}\n", name(way, compiled), way.options.simplify.name())).collect()
}

fn passes(c: &Compared) -> Table {
    let ways = c.comparer.ways();
    let seconds: Vec<Vec<(&str, f64)>> = ways.iter().map(|(_, compiled)| compiled.report().seconds_by_part()).collect();
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in seconds.iter().flatten() {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let mut table = Table::new(2, ["strategy", "simplified"].into_iter().chain(names.iter().copied()));
    for ((way, compiled), seconds) in ways.iter().zip(&seconds) {
        let time = |name: &&str| or_dash(seconds.iter().find(|(known, _)| known == name), |(_, s)| units::time(*s));
        table.row([name(way, compiled), way.options.simplify.name().into()].into_iter().chain(names.iter().map(time)));
    }
    table
}

/// One row for each value and way.
fn points(c: &Compared, swept: &Swept, sweep: &Sweep) -> Table {
    let head = ["strategy", "simplified", "run", "× value", "closures", "heap", "tape", "a record", "difference"];
    let mut table = Table::new(3, [swept.name.as_str()].into_iter().chain(head));
    for (at, comparison) in &sweep.points {
        let [closures, heap, tape, record] = memory(Some(&comparison.value));
        let time = units::time(comparison.value.seconds);
        let itself = ["value".into(), Simplify::Interleaved.name().into(), time, units::ratio(1.0), closures, heap, tape, record];
        table.row(std::iter::once(at.to_string()).chain(itself).chain(["-".to_owned()]));
        for (i, (way, compiled)) in c.comparer.ways().iter().enumerate() {
            let names = [at.to_string(), name(way, compiled), way.options.simplify.name().into()];
            table.row(names.into_iter().chain(run(comparison, i)));
        }
    }
    table
}

fn growth(c: &Compared, sweep: &Sweep) -> Table {
    let mut table = Table::new(2, ["strategy", "simplified", "time", "memory"]);
    let mut row = |strategy: String, s: Simplify, g: Growth| {
        let [time, memory] = [g.time, g.memory].map(|e| or_dash(e, |e| format!("{e:.2}")));
        table.row([strategy, s.name().into(), time, memory]);
    };
    row("value".into(), Simplify::Interleaved, sweep.value_growth());
    for (i, (way, compiled)) in c.comparer.ways().iter().enumerate() {
        row(name(way, compiled), way.options.simplify, sweep.growth(i));
    }
    table
}

/// The ways whose programs are told of: those of the first order of simplification.
fn shown(c: &Compared) -> impl Iterator<Item = &(Way, Arc<Compiled>)> {
    let ways = c.comparer.ways();
    ways.iter().filter(|(way, _)| way.options.simplify == ways[0].0.options.simplify)
}

/// What runs keep.
fn kept(c: &Compared, source: &Source) -> Vec<String> {
    let text = shown(c).map(|(way, compiled)| {
        let lines: Vec<String> = explain::records(compiled, source).iter().map(|line| format!("  {line}\n")).collect();
        format!("kept by {}, {}\n{}", name(way, compiled), simplified(way.options.simplify), lines.concat())
    });
    text.collect()
}

fn simplified(s: Simplify) -> &'static str {
    match s {
        Simplify::Interleaved => "simplified",
        Simplify::AtEnd => "simplified at the end",
        Simplify::Off => "not simplified",
    }
}

/// Whether a function was not differentiated by the strategy that was named.
fn otherwise(way: &Way, decision: &Decision) -> bool {
    matches!(way.options.plan.orders[..], [named] if named != Strategy::Auto && named != decision.strategy)
}

/// Where a strategy was not the one that was named, what is left out, and with `all` every decision.
fn notes(c: &Compared, all: bool) -> Option<String> {
    let mut notes: Vec<String> = Vec::new();
    for (way, compiled) in shown(c) {
        let mode = explain::mode(compiled).filter(|_| all || compiled.request().is_forward());
        let decisions = compiled.report().decisions.iter().zip(explain::decisions(compiled));
        let decisions = decisions.filter(|(decision, _)| all || otherwise(way, decision)).map(|(_, line)| line);
        for line in mode.into_iter().chain(decisions) {
            let note = format!("{}: {line}\n", way.strategy());
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    for (way, as_way) in &c.comparer.same {
        let note = format!("{} is the same program as {}\n", step(way), step(as_way));
        if step(way) != step(as_way) && !notes.contains(&note) {
            notes.push(note);
        }
    }
    (!notes.is_empty()).then(|| notes.concat())
}
