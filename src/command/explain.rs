//! What the compiler decided, and what a run keeps: `--explain`.

use gradus::Compiled;
use gradus::recorded::{Keeper, Record, recorded};
use gradus_ir::Source;
use serde_json::{Value as Json, json};

/// Reasons of one value that are shown.
const REASONS: usize = 2;

/// Decisions and records, as lines.
pub fn lines(compiled: &Compiled, source: &Source) -> Vec<String> {
    let mut lines: Vec<String> = mode(compiled).into_iter().collect();
    lines.extend(decisions(compiled));
    lines.extend(records(compiled, source));
    lines
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

/// What a run keeps, and why.
pub fn records(compiled: &Compiled, source: &Source) -> Vec<String> {
    let records = recorded(&compiled.stages().lowered);
    if records.is_empty() {
        return vec!["nothing is kept: no tape, no closure, no box".into()];
    }
    let mut lines = Vec::new();
    for record in &records {
        lines.push(heading(record, source));
        let fields: Vec<[String; 3]> =
            record.fields.iter().map(|f| [f.what(Some(source)), f.ty.describe(), format!("{} bytes", f.bytes)]).collect();
        let width = |i: usize| fields.iter().map(|cells| cells[i].chars().count()).max().unwrap_or(0);
        let [what, ty, bytes] = [0, 1, 2].map(width);
        for (field, [a, b, c]) in record.fields.iter().zip(&fields) {
            let mut reasons: Vec<String> = field.reasons.iter().map(|r| r.clause(Some(source))).collect();
            if reasons.len() > REASONS {
                let more = reasons.split_off(REASONS).len();
                reasons.push(format!("{more} more"));
            }
            lines.push(format!("  {a:<what$}  {b:<ty$}  {c:>bytes$}  {}", reasons.join("; ")).trim_end().to_owned());
        }
    }
    lines
}

fn heading(record: &Record, source: &Source) -> String {
    let at = line(record, source).map_or_else(String::new, |line| format!(", line {line}"));
    let (function, bytes) = (&record.function, record.bytes());
    match record.keeper {
        Keeper::Tape => format!("a tape in {function}{at}: {bytes} bytes a record"),
        Keeper::Closure => format!("a closure of {function}{at}: {bytes} bytes and a header"),
        Keeper::Box => format!("a box in {function}{at}: {bytes} bytes and a header"),
    }
}

/// The line of the function or block that a record belongs to.
fn line(record: &Record, source: &Source) -> Option<usize> {
    Some(source.text.get(..record.span.start as usize)?.matches('\n').count() + 1)
}

/// The same as JSON: the mode, where it was chosen, the strategies, and the records.
pub fn json(compiled: &Compiled, source: &Source) -> [(String, Json); 3] {
    let mode = compiled.report().mode.as_ref();
    let mode = mode.map(|d| json!({"function": d.function, "mode": d.mode.name(), "reason": d.reason}));
    let decisions = compiled.report().decisions.iter();
    let decisions: Vec<Json> =
        decisions.map(|d| json!({"function": d.function, "strategy": d.strategy.name(), "reason": d.reason})).collect();
    let records = recorded(&compiled.stages().lowered);
    let records = records.iter().map(|record| {
        let values = record.fields.iter().map(|f| {
            let reasons: Vec<String> = f.reasons.iter().map(|r| r.clause(Some(source))).collect();
            json!({"what": f.what(Some(source)), "type": f.ty.to_string(), "bytes": f.bytes, "reasons": reasons})
        });
        json!({
            "function": record.function,
            "line": line(record, source),
            "keeper": record.keeper.to_string(),
            "bytes": record.bytes(),
            "values": values.collect::<Vec<_>>(),
        })
    });
    [("mode".into(), json!(mode)), ("decisions".into(), decisions.into()), ("recorded".into(), records.collect())]
}
