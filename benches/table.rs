//! Writes the table of the benchmarks into docs/benchmarks.md, and all figures as docs/benchmarks.csv:
//!
//! ```text
//! cargo bench --bench table
//! ```
//!
//! All times of a row are measured in turns, in one run, and so are the ratios.

mod hand;
mod workloads;

use gradus::compare::{Timed, Turns, units};
use gradus::{Error, Value, to_value};
use std::hint::black_box;
use std::io;
use std::path::Path;
use std::time::Duration;
use workloads::{Answer, Arguments, Visitor, Way, Workload};

/// How long a row is measured, and how long the compilation of each of its derivatives.
const RUN: Duration = Duration::from_millis(1500);
const COMPILE: Duration = Duration::from_millis(300);

/// The ways to a derivative, in the order of their columns.
const WAYS: [&str; 3] = ["closure", "stack", "forward"];

/// The figures of a workload; times in seconds.
struct Row {
    name: String,
    value: f64,
    value_by_hand: f64,
    by_hand: f64,
    /// Of each of [`WAYS`] that is there.
    ways: [Option<Figures>; 3],
}

/// The figures of one way.
#[derive(Clone, Copy)]
struct Figures {
    seconds: f64,
    /// By the time of what is written by hand.
    ratio: f64,
    /// From the text to native code.
    compile: f64,
    /// What closures, boxes and tapes take.
    kept: usize,
}

impl Row {
    /// The fastest way.
    fn best(&self) -> Figures {
        let ways = self.ways.iter().flatten().copied();
        ways.min_by(|a, b| a.seconds.total_cmp(&b.seconds)).expect("there are both strategies")
    }
}

/// Measures rows.
#[derive(Default)]
struct Measure(Vec<Row>);

impl Visitor for Measure {
    fn visit<A: Arguments, R: Answer>(&mut self, w: &Workload, args: A, value: impl Fn(A) -> f64, derivative: impl Fn(A) -> R) {
        let row = measure(w, args, value, derivative).unwrap_or_else(|e| panic!("{}: {e}", w.name));
        eprintln!("{}", markdown_cells(&row).join(" | "));
        self.0.push(row);
    }
}

fn measure<A: Arguments, R: Answer>(
    w: &Workload,
    args: A,
    value: impl Fn(A) -> f64,
    derivative: impl Fn(A) -> R,
) -> Result<Row, Error> {
    let (primal, by_hand) = (w.checked::<A, f64>(&w.value, args, &value(args).into())?, to_value::<R>(derivative(args)));
    let ways = w.derivatives.iter().map(|way| w.checked::<A, R>(way, args, &by_hand)).collect::<Result<Vec<_>, Error>>()?;
    let mut calls = vec![
        Timed::new(|| primal.call(black_box(args))),
        Timed::new(|| Ok(value(black_box(args)))),
        Timed::new(|| Ok(derivative(black_box(args)))),
    ];
    calls.extend(ways.iter().map(|typed| Timed::new(|| typed.call(black_box(args)))));
    let turns = Turns::measure(RUN, &mut calls)?;
    let figures = |(i, way): (usize, &Way)| -> Result<Figures, Error> {
        let compile = Timed::new(|| w.compile::<A, R>(way)).median(COMPILE)?;
        let Value::Tuple(values) = to_value::<A>(args) else { unreachable!("arguments are a tuple") };
        let usage = ways[i].compiled(args)?.native().expect("native code").run_with_usage(&values)?.1;
        let (seconds, ratio) = (turns.median(3 + i), turns.ratio(3 + i, 2));
        Ok(Figures { seconds, ratio, compile, kept: usage.heap_bytes + usage.tape_bytes })
    };
    let found = w.derivatives.iter().enumerate().map(figures).collect::<Result<Vec<_>, Error>>()?;
    let ways = WAYS.map(|id| w.derivatives.iter().position(|way| way.id == id).map(|i| found[i]));
    Ok(Row { name: w.name.clone(), value: turns.median(0), value_by_hand: turns.median(1), by_hand: turns.median(2), ways })
}

const MARKDOWN: [&str; 12] = [
    "workload",
    "value",
    "value by hand",
    "derivative by hand",
    "closure",
    "stack",
    "forward",
    "best ÷ by hand",
    "best compiled in",
    "kept: closure",
    "kept: stack",
    "kept: forward",
];

/// A row for readers. The time of a compilation is that of the fastest way.
fn markdown_cells(row: &Row) -> Vec<String> {
    let best = row.best();
    let each = |show: &dyn Fn(Figures) -> String| row.ways.map(|f| f.map(show).unwrap_or_default());
    let mut cells = vec![row.name.clone()];
    cells.extend([row.value, row.value_by_hand, row.by_hand].map(units::time));
    cells.extend(each(&|f| units::time(f.seconds)));
    cells.extend([units::ratio(best.ratio), units::time(best.compile)]);
    cells.extend(each(&|f| units::bytes(f.kept)));
    cells
}

fn markdown(rows: &[Row]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let head = line(&MARKDOWN.map(str::to_owned)) + "|---" + &"|---:".repeat(MARKDOWN.len() - 1) + "|\n";
    rows.iter().fold(head, |text, row| text + &line(&markdown_cells(row)))
}

fn csv(rows: &[Row]) -> String {
    let mut head: Vec<String> = ["workload", "value_s", "value_by_hand_s", "derivative_by_hand_s"].map(str::to_owned).into();
    let figures = ["s", "by_hand", "compile_s", "kept_bytes"];
    head.extend(WAYS.iter().flat_map(|way| figures.map(|figure| format!("{way}_{figure}"))));
    let mut text = head.join(",") + "\n";
    for row in rows {
        let mut cells = vec![row.name.clone()];
        cells.extend([row.value, row.value_by_hand, row.by_hand].map(|s| format!("{s:e}")));
        cells.extend(row.ways.iter().flat_map(|way| match way {
            Some(f) => [format!("{:e}", f.seconds), format!("{:.3}", f.ratio), format!("{:e}", f.compile), f.kept.to_string()],
            None => std::array::from_fn(|_| String::new()),
        }));
        text += &(cells.join(",") + "\n");
    }
    text
}

/// A text with its table replaced by another of the same head.
fn quoting(text: &str, table: &str) -> Option<String> {
    let head = table.lines().next()?;
    let (before, rest) = text.split_once(head)?;
    let old: usize = rest.split_inclusive('\n').take_while(|line| line.starts_with('|') || *line == "\n").map(str::len).sum();
    Some(format!("{before}{table}\n{}", &rest[old..]))
}

fn main() -> io::Result<()> {
    let mut measured = Measure::default();
    workloads::visit(&mut measured);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = markdown(&measured.0);
    std::fs::write(root.join("docs/benchmarks.csv"), csv(&measured.0))?;
    let page = root.join("docs/benchmarks.md");
    match quoting(&std::fs::read_to_string(&page)?, &table) {
        Some(text) => std::fs::write(page, text),
        None => Err(io::Error::other("docs/benchmarks.md has no table with this head")),
    }
}
