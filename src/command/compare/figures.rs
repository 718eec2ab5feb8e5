//! A comparison as JSON and as comma-separated values.

use super::{Compared, Measured, step};
use gradus::compare::{Comparison, Growth, Run, Sweep, Way, csv_field};
use gradus::explain;
use gradus::{Compiled, Error, Value, json as values};
use gradus_ir::Source;
use serde_json::{Map, Value as Json, json};

/// One JSON object.
pub fn json(c: &Compared, source: &Source) -> String {
    let mut object = Map::new();
    object.insert("file".into(), json!(c.file));
    object.insert("call".into(), json!(c.call));
    object.insert("backend".into(), json!(c.backend));
    match &c.result {
        Measured::One(comparison) => object.extend(of_comparison(c, comparison)),
        Measured::Over(swept, sweep) => {
            object.insert("sweep".into(), json!(swept.name));
            let points = sweep.points.iter().map(|(at, comparison)| {
                let mut point = Map::from_iter([("at".into(), values::write(at))]);
                point.extend(of_comparison(c, comparison));
                Json::Object(point)
            });
            object.insert("points".into(), points.collect());
            object.insert("growth".into(), growth(c, sweep));
        }
    }
    let same = c
        .comparer
        .same
        .iter()
        .map(|(way, as_way)| json!({"strategy": step(way), "simplify": way.options.simplify.name(), "as": step(as_way)}));
    object.insert("same".into(), same.collect());
    let explained = c.comparer.ways().iter().map(|(way, compiled)| {
        let mut object = names(way);
        object.extend(explain::json(compiled, source));
        Json::Object(object)
    });
    object.insert("explained".into(), explained.collect());
    Json::Object(object).to_string()
}

fn of_comparison(c: &Compared, comparison: &Comparison) -> Map<String, Json> {
    let rows = (0..comparison.rows.len()).map(|i| Json::Object(row(c, comparison, i)));
    Map::from_iter([("value".into(), Json::Object(value(c, comparison))), ("rows".into(), rows.collect())])
}

fn growth(c: &Compared, sweep: &Sweep) -> Json {
    let one = |mut names: Map<String, Json>, g: Growth| {
        names.extend([("time".into(), json!(g.time)), ("memory".into(), json!(g.memory))]);
        Json::Object(names)
    };
    let rows = c.comparer.ways().iter().enumerate().map(|(i, (way, _))| one(names(way), sweep.growth(i)));
    let value = Map::from_iter([("strategy".into(), json!("value")), ("simplify".into(), json!("interleaved"))]);
    std::iter::once(one(value, sweep.value_growth())).chain(rows).collect()
}

/// The figures of the function itself.
fn value(c: &Compared, comparison: &Comparison) -> Map<String, Json> {
    let mut figures = compiled(c.comparer.value());
    figures.extend(run(Some(&comparison.value)));
    figures
}

/// The figures of a row.
fn row(c: &Compared, comparison: &Comparison, i: usize) -> Map<String, Json> {
    let ((way, program), row) = (&c.comparer.ways()[i], &comparison.rows[i]);
    let mut figures = names(way);
    figures.insert("mode".into(), json!(program.report().mode.as_ref().map(|d| d.mode.name())));
    figures.extend(compiled(program));
    figures.extend(run(row.run.as_ref().ok()));
    let ratio = comparison.ratio(i);
    figures.insert("ratio".into(), json!(ratio.map(|r| r.value)));
    figures.insert("ratio_low".into(), json!(ratio.map(|r| r.low)));
    figures.insert("ratio_high".into(), json!(ratio.map(|r| r.high)));
    figures.insert("difference".into(), row.difference.map_or(Json::Null, |d| values::write(&d.into())));
    figures.insert("error".into(), row.run.as_ref().err().map_or(Json::Null, |e: &Error| json!(e.to_string())));
    figures
}

fn names(way: &Way) -> Map<String, Json> {
    Map::from_iter([
        ("strategy".into(), json!(way.strategy())),
        ("simplify".into(), json!(way.options.simplify.name())),
        ("closures_as".into(), json!(way.options.closures.name())),
    ])
}

fn compiled(program: &Compiled) -> Map<String, Json> {
    let (report, native) = (program.report(), program.native().map(|code| code.stats()));
    let passes = report.seconds();
    let total: f64 = passes.iter().map(|(_, s)| s).sum();
    let mut seconds: Map<String, Json> = passes.iter().map(|(name, s)| ((*name).to_owned(), json!(s))).collect();
    seconds.insert("total".into(), json!(total));
    Map::from_iter([
        ("nodes_typed".into(), json!(report.nodes.0)),
        ("nodes_lowered".into(), json!(report.nodes.1)),
        ("code_bytes".into(), json!(native.map(|s| s.code_bytes))),
        ("closure_sites".into(), json!(native.map(|s| s.allocation_sites))),
        ("indirect_calls".into(), json!(native.map(|s| s.indirect_calls))),
        ("compile_seconds".into(), Json::Object(seconds)),
    ])
}

fn run(run: Option<&Run>) -> Map<String, Json> {
    Map::from_iter([
        ("seconds".into(), json!(run.map(|r| r.seconds))),
        ("runs".into(), json!(run.map(|r| r.runs))),
        ("closures".into(), json!(run.map(|r| r.usage.objects))),
        ("heap_bytes".into(), json!(run.map(|r| r.usage.heap_bytes))),
        ("tape_bytes".into(), json!(run.map(|r| r.usage.tape_bytes))),
        ("records".into(), json!(run.map(|r| r.usage.records))),
        ("tape_bytes_per_record".into(), json!(run.and_then(Run::record_bytes))),
    ])
}

/// One line for each row, and one for the function itself, whose strategy is called `value`. Times are in seconds.
pub fn csv(c: &Compared) -> String {
    let mut rows: Vec<Vec<(String, Json)>> = Vec::new();
    match &c.result {
        Measured::One(comparison) => rows.extend(csv_rows(c, None, comparison)),
        Measured::Over(_, sweep) => {
            sweep.points.iter().for_each(|(at, comparison)| rows.extend(csv_rows(c, Some(at), comparison)));
        }
    }
    // Rows differ in the passes that ran; the function itself, which comes first, has the fewest.
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in rows[1..].iter().chain(&rows[..1]).flatten() {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    let line = |row: &Vec<(String, Json)>| {
        let cell = |column: &&str| row.iter().find(|(name, _)| name == column).map(|(_, v)| csv_field(v)).unwrap_or_default();
        columns.iter().map(cell).collect::<Vec<_>>().join(",")
    };
    std::iter::once(columns.join(",")).chain(rows.iter().map(line)).map(|line| line + "\n").collect()
}

fn csv_rows(c: &Compared, at: Option<&Value>, comparison: &Comparison) -> Vec<Vec<(String, Json)>> {
    let mut all: Vec<Map<String, Json>> = (0..comparison.rows.len()).map(|i| row(c, comparison, i)).collect();
    let mut itself = Map::from_iter([("strategy".into(), json!("value")), ("simplify".into(), json!("interleaved"))]);
    itself.extend(value(c, comparison));
    itself.extend([("ratio".into(), json!(1.0))]);
    all.insert(0, itself);
    let at = at.map(|value| ("at".to_owned(), values::write(value)));
    all.into_iter().map(|row| at.iter().cloned().chain(row.into_iter().flat_map(flat)).collect()).collect()
}

/// A figure; of times by pass, each as one figure.
fn flat((name, value): (String, Json)) -> Vec<(String, Json)> {
    match value {
        Json::Object(parts) => parts.into_iter().map(|(part, v)| (format!("{name}_{}", part.replace(' ', "_")), v)).collect(),
        value => vec![(name, value)],
    }
}
