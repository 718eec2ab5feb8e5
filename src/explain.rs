//! What the compiler decided, and what a run keeps, for people: `--explain`.

use crate::Compiled;
use crate::compare::units;
use crate::recorded::{Keeper, Origin, Record, recorded};
use gradus_backend::jit::{bytes, referred_bytes};
use gradus_ir::{Source, Span};
use gradus_opt::{Compressed, Recomputed};
use serde_json::{Value as Json, json};

/// Reasons of one value that are shown.
const REASONS: usize = 2;

/// Decisions and records, as lines.
pub fn lines(compiled: &Compiled, source: &Source) -> Vec<String> {
    let mut lines: Vec<String> = mode(compiled).into_iter().collect();
    lines.extend(untraced(compiled, source));
    lines.extend(decisions(compiled));
    lines.extend(contradictions(compiled));
    lines.extend(sparse(compiled, source));
    lines.extend(again(compiled, source));
    lines.extend(records(compiled, source));
    lines
}

/// Why nothing is traced, though that was asked for.
fn untraced(compiled: &Compiled, source: &Source) -> Option<String> {
    let at = line(compiled.report().untraced?, source).map_or_else(String::new, |line| format!(" asked for in line {line}"));
    Some(format!(
        "nothing is traced: the derivative{at} is that of a traced one, or goes through boxes whose places only the run knows"
    ))
}

/// What `--math fast` left as it was.
fn contradictions(compiled: &Compiled) -> Option<String> {
    let count = compiled.report().simplifier.total(gradus_opt::CONTRADICTIONS);
    (count > 0)
        .then(|| format!("rules over the reals made two numbers equal; so many parts of the program stay without them: {count}"))
}

/// The sparse Jacobians and Hessians: their patterns, and how many directions they take.
fn sparse(compiled: &Compiled, source: &Source) -> Vec<String> {
    let compressed = compiled.report().simplifier.compressed();
    let lines = compressed.map(|c| {
        let at = line(c.span, source).map_or_else(String::new, |line| format!(" in line {line}"));
        let band = match c.band {
            _ if c.numbers != c.all => String::new(),
            0 => ", all on the diagonal".into(),
            band => format!(", none more than {band} beside the diagonal"),
        };
        let Compressed { all, numbers, entries, directions, .. } = c;
        format!("sparse{at}: {entries} entries in {all} directions of {numbers} numbers{band}; directions that are taken: {directions}")
    });
    lines.collect()
}

/// Which mode was chosen, and why.
pub fn mode(compiled: &Compiled) -> Option<String> {
    let decision = compiled.report().mode.as_ref();
    decision.map(|d| format!("`{}` in {} mode: {}", d.function, d.mode.name(), d.reason))
}

/// Which strategy differentiates which function, and why.
pub fn decisions(compiled: &Compiled) -> Vec<String> {
    let decisions = compiled.report().decisions.iter();
    decisions.map(|d| format!("`{}` by {}: {}", d.function, d.strategy.name(), d.reason)).collect()
}

/// The loops that are run again, and how much of them is kept.
fn again(compiled: &Compiled, source: &Source) -> Vec<String> {
    let loops = compiled.report().again.iter();
    let lines = loops.map(|l| {
        let at = line(l.span, source).map_or_else(String::new, |line| format!(", line {line}"));
        let state = size(bytes(&l.state), referred_bytes(&l.state));
        format!("a loop in {}{at}: run again from no more than {} of its states, of {state}", l.function, l.slots)
    });
    lines.collect()
}

/// What a run keeps, and why.
pub fn records(compiled: &Compiled, source: &Source) -> Vec<String> {
    let records = recorded(compiled);
    let mut lines = Vec::new();
    if compiled.stages().lowered.has_trace() {
        lines.push(
            "a tape of the run: an entry for each operation on floats, and for each function that passes on a cotangent".into(),
        );
    } else if records.is_empty() && compiled.report().again.is_empty() {
        lines.push("nothing is kept: no tape, no closure, no box".into());
    }
    for record in &records {
        lines.push(heading(record, source));
        let fields: Vec<[String; 3]> = record
            .fields
            .iter()
            .map(|f| [f.origin.what(Some(source)), f.origin.ty.describe(), size(f.bytes, f.array_bytes)])
            .collect();
        let width = |i: usize| fields.iter().map(|cells| cells[i].chars().count()).max().unwrap_or(0);
        let [what, ty, bytes] = [0, 1, 2].map(width);
        for (field, [a, b, c]) in record.fields.iter().zip(&fields) {
            let mut reasons: Vec<String> = field.reasons.iter().map(|r| r.clause(Some(source))).collect();
            if reasons.len() > REASONS {
                let more = reasons.split_off(REASONS).len();
                reasons.push(format!("{more} more"));
            }
            reasons.extend(field.stored.as_ref().map(|stored| stored.clause(Some(source))));
            lines.push(format!("  {a:<what$}  {b:<ty$}  {c:>bytes$}  {}", reasons.join("; ")).trim_end().to_owned());
        }
    }
    lines.extend(recomputed_lines(compiled, source));
    lines
}

/// What the adjoint computes again, with the number of such values.
fn recomputed(compiled: &Compiled) -> Vec<(&Recomputed, usize)> {
    let mut values: Vec<(&Recomputed, usize)> = Vec::new();
    for value in compiled.report().simplifier.recomputed() {
        match values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => values.push((value, 1)),
        }
    }
    values
}

/// What the adjoint computes again, as lines.
fn recomputed_lines(compiled: &Compiled, source: &Source) -> Vec<String> {
    let values = recomputed(compiled);
    let shown = |(r, count): &(&Recomputed, usize)| {
        let (what, at) = (Origin::from(*r).what(Some(source)), line(r.span, source).filter(|_| r.name.is_some()));
        let at = at.map_or_else(String::new, |line| format!(", line {line}"));
        let values = if *count == 1 { String::new() } else { format!("{count} values, ") };
        let s = if r.operations == 1 { "" } else { "s" };
        format!("  {what}{at}  {values}{} operation{s} more", r.operations)
    };
    let head = (!values.is_empty()).then(|| "computed again, and not recorded:".to_owned());
    head.into_iter().chain(values.iter().map(shown)).collect()
}

/// What a value takes, and the arrays that it refers to.
fn size(bytes: usize, arrays: usize) -> String {
    let arrays = if arrays > 0 { format!(" + {} of arrays", units::bytes(arrays)) } else { String::new() };
    format!("{bytes} bytes{arrays}")
}

fn heading(record: &Record, source: &Source) -> String {
    let at = line(record.span, source).map_or_else(String::new, |line| format!(", line {line}"));
    let (function, bytes) = (&record.function, record.bytes());
    let taken = size(bytes, record.array_bytes());
    match record.keeper {
        Keeper::Tape => {
            let more = record.recorded_more.iter().filter(|more| more.1 != bytes);
            let more = more.map(|(recompute, bytes)| format!(", {bytes} by --recompute {recompute}"));
            format!("a tape in {function}{at}: {taken} a record{}", more.collect::<String>())
        }
        Keeper::Closure => format!("a closure of {function}{at}: {taken} and a header"),
        Keeper::Box => format!("a box in {function}{at}: {taken} and a header"),
    }
}

/// The line of the source that a span begins on.
fn line(span: Span, source: &Source) -> Option<usize> {
    source.position(span).map(|(_, line, _)| line)
}

/// The same as JSON: the mode, where it was chosen, the strategies, the records, and what is computed again.
pub fn json(compiled: &Compiled, source: &Source) -> [(String, Json); 8] {
    let mode = compiled.report().mode.as_ref();
    let mode = mode.map(|d| json!({"function": d.function, "mode": d.mode.name(), "reason": d.reason}));
    let decisions = compiled.report().decisions.iter();
    let decisions: Vec<Json> =
        decisions.map(|d| json!({"function": d.function, "strategy": d.strategy.name(), "reason": d.reason})).collect();
    let records = recorded(compiled);
    let records = records.iter().map(|record| {
        let values = record.fields.iter().map(|f| {
            let reasons: Vec<String> = f.reasons.iter().map(|r| r.clause(Some(source))).collect();
            let stored = f.stored.as_ref().map(|stored| stored.clause(Some(source)));
            let (what, ty) = (f.origin.what(Some(source)), f.origin.ty.to_string());
            json!({"what": what, "type": ty, "bytes": f.bytes, "array_bytes": f.array_bytes, "reasons": reasons, "stored": stored})
        });
        json!({
            "function": record.function,
            "line": line(record.span, source),
            "keeper": record.keeper.to_string(),
            "bytes": record.bytes(),
            "array_bytes": record.array_bytes(),
            "bytes_by_recompute": record.recorded_more,
            "values": values.collect::<Vec<_>>(),
        })
    });
    let recomputed = recomputed(compiled).into_iter().map(|(r, count)| {
        let (what, ty) = (Origin::from(r).what(Some(source)), r.ty.to_string());
        json!({"what": what, "line": line(r.span, source), "type": ty, "values": count, "operations": r.operations})
    });
    let compressed = compiled.report().simplifier.compressed();
    let sparse = compressed.map(|c| {
        json!({
            "line": line(c.span, source),
            "all": c.all,
            "numbers": c.numbers,
            "entries": c.entries,
            "band": c.band,
            "directions": c.directions,
        })
    });
    let again = compiled.report().again.iter();
    let again = again.map(|l| {
        json!({
            "function": l.function,
            "line": line(l.span, source),
            "slots": l.slots,
            "bytes": bytes(&l.state),
            "array_bytes": referred_bytes(&l.state),
        })
    });
    [
        ("mode".into(), json!(mode)),
        ("rules".into(), json!(compiled.report().simplifier.fired())),
        ("untraced".into(), json!(compiled.report().untraced.map(|span| line(span, source)))),
        ("decisions".into(), decisions.into()),
        ("run_again".into(), again.collect()),
        ("recorded".into(), records.collect()),
        ("recomputed".into(), recomputed.collect()),
        ("sparse".into(), sparse.collect()),
    ]
}
