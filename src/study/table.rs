//! `study.csv`: one line for each row of each record, in columns that are the same in every study.

use super::record::{Code, Record, Row, Times};
use crate::compare::csv_field;
use serde_json::{Value as Json, json};

type Cell = fn(&Record, &Row) -> Json;

/// Each column, with what stands in it; docs/study.md has their meanings and units.
const COLUMNS: [(&str, Cell); 44] = [
    ("program", |r, _| json!(r.program)),
    ("kind", |r, _| json!(r.kind)),
    ("argument", |r, _| json!(r.point.as_ref().map(|p| &p.argument))),
    ("at", |r, _| r.point.as_ref().map_or(Json::Null, |p| number(p.value))),
    ("order", |r, _| json!(r.order)),
    ("strategy", |_, w| json!(w.way.strategy)),
    ("closures", |_, w| json!(w.way.closures)),
    ("simplify", |_, w| json!(w.way.simplify)),
    ("math", |_, w| json!(w.way.math)),
    ("recompute", |_, w| json!(w.way.recompute)),
    ("backend", |_, w| json!(w.way.backend)),
    ("passes", |_, w| json!(w.way.passes)),
    ("mode", |_, w| code(w, |c| json!(c.mode))),
    ("code", |_, w| code(w, |c| json!(c.program))),
    ("nodes_typed", |_, w| code(w, |c| json!(c.nodes_typed))),
    ("nodes_lowered", |_, w| code(w, |c| json!(c.nodes_lowered))),
    ("code_bytes", |_, w| code(w, |c| json!(c.code_bytes))),
    ("closure_sites", |_, w| code(w, |c| json!(c.closure_sites))),
    ("indirect_calls", |_, w| code(w, |c| json!(c.indirect_calls))),
    ("compile_s", |_, w| code(w, |c| json!(c.compile_seconds))),
    ("turns", |_, w| run(w, |t| json!(t.times.len()))),
    ("runs", |_, w| run(w, |t| json!(t.runs))),
    ("outliers", |_, w| run(w, |t| json!(t.outliers))),
    ("least_s", |_, w| run(w, |t| json!(t.least))),
    ("quartile1_s", |_, w| run(w, |t| json!(t.quartiles[0]))),
    ("median_s", |_, w| run(w, |t| json!(t.quartiles[1]))),
    ("quartile3_s", |_, w| run(w, |t| json!(t.quartiles[2]))),
    ("median_low_s", |_, w| run(w, |t| json!(t.median[0]))),
    ("median_high_s", |_, w| run(w, |t| json!(t.median[1]))),
    ("ratio", |_, w| run(w, |t| json!(t.ratio[0]))),
    ("ratio_low", |_, w| run(w, |t| json!(t.ratio[1]))),
    ("ratio_high", |_, w| run(w, |t| json!(t.ratio[2]))),
    ("closures_made", |_, w| run(w, |t| json!(t.objects))),
    ("heap_bytes", |_, w| run(w, |t| json!(t.heap_bytes))),
    ("tape_bytes", |_, w| run(w, |t| json!(t.tape_bytes))),
    ("kept_bytes", |_, w| run(w, |t| json!(t.kept()))),
    ("records", |_, w| run(w, |t| json!(t.records))),
    ("array_operations", |_, w| run(w, |t| json!(t.array_operations))),
    ("difference", |_, w| run(w, |t| json!(t.difference))),
    ("load_before", |r, _| json!(r.load[0])),
    ("load_after", |r, _| json!(r.load[1])),
    ("case_s", |r, _| json!(r.seconds)),
    ("same_as", |_, w| json!(w.same.as_ref().map(|other| other.short(&w.way)))),
    ("error", |_, w| json!(w.error)),
];

/// A number, without a point if it is whole.
fn number(v: f64) -> Json {
    if v.fract() == 0.0 && v.abs() < 1e15 { json!(v as i64) } else { json!(v) }
}

fn code(row: &Row, cell: impl Fn(&Code) -> Json) -> Json {
    row.code.as_ref().map_or(Json::Null, cell)
}

fn run(row: &Row, cell: impl Fn(&Times) -> Json) -> Json {
    row.run.as_ref().map_or(Json::Null, cell)
}

/// The names of the columns.
pub fn columns() -> impl Iterator<Item = &'static str> {
    COLUMNS.into_iter().map(|(name, _)| name)
}

/// The rows of each record.
pub fn rows(records: &[Record]) -> Vec<Vec<Json>> {
    let rows = records.iter().flat_map(|record| record.rows.iter().map(move |row| (record, row)));
    rows.map(|(record, row)| COLUMNS.into_iter().map(|(_, cell)| cell(record, row)).collect()).collect()
}

/// The names of the columns, then the rows of each record.
pub fn csv(records: &[Record]) -> String {
    let line = |cells: Vec<Json>| cells.iter().map(csv_field).collect::<Vec<_>>().join(",") + "\n";
    let head = columns().collect::<Vec<_>>().join(",") + "\n";
    std::iter::once(head).chain(rows(records).into_iter().map(line)).collect()
}
