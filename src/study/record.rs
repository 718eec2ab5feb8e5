//! What a study keeps of a case: docs/study.md has the fields, which are those of `study.json`.

use super::cases::{Case, Point};
use super::machine;
use super::ways::Names;
use crate::compare::{Comparer, Effort, Run, outliers, quartiles, typical};
use crate::{Compiled, Error, Function, Options, Stage};
use gradus_ir::print::print;
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::hash::Hasher;
use std::time::Instant;

/// A case, measured.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Record {
    /// What the figures depend on, as a number in hexadecimal digits; a record with another one is measured anew.
    pub key: String,
    pub program: String,
    pub kind: String,
    pub file: String,
    pub function: String,
    pub call: String,
    pub point: Option<Point>,
    pub order: usize,
    /// The numbers of the arguments that derivatives are taken in.
    pub wrt: Vec<usize>,
    /// The load of the machine before and after.
    pub load: [Option<f64>; 2],
    /// How long the case took, compilation included.
    pub seconds: f64,
    /// The function itself, then the ways; a strategy without variations comes before those with some.
    pub rows: Vec<Row>,
    /// The program at its stages, where the case stands for it.
    pub stages: Vec<StageText>,
}

/// A way's figures.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Row {
    pub way: Names,
    /// The way that makes the same program, where this one is not measured for that.
    pub same: Option<Names>,
    pub code: Option<Code>,
    pub run: Option<Times>,
    /// How compilation or the run failed.
    pub error: Option<String>,
}

/// Figures of the compiled program.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Code {
    /// A number that programs of the same text have in common, in hexadecimal digits.
    pub program: String,
    /// The mode, where the compiler chose it.
    pub mode: Option<String>,
    pub nodes_typed: usize,
    pub nodes_lowered: usize,
    pub code_bytes: Option<usize>,
    pub closure_sites: Option<usize>,
    pub indirect_calls: Option<usize>,
    pub compile_seconds: f64,
}

/// Figures of runs. Times are in seconds.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Times {
    /// The time of a run in each turn.
    pub times: Vec<f64>,
    pub runs: usize,
    pub least: f64,
    /// First quartile, median, third quartile.
    pub quartiles: [f64; 3],
    /// The interval of the median.
    pub median: [f64; 2],
    pub outliers: usize,
    /// The time by that of the function itself: the figure, and the ends of its interval.
    pub ratio: [f64; 3],
    pub objects: usize,
    pub heap_bytes: usize,
    pub tape_bytes: usize,
    pub records: usize,
    pub array_operations: usize,
    /// How far the answer is from that of the first way, relative to the largest entry.
    pub difference: f64,
}

impl Times {
    /// Bytes that a run keeps: closures, boxes, records of tapes.
    pub fn kept(&self) -> usize {
        self.heap_bytes + self.tape_bytes
    }
}

/// A program at a stage.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct StageText {
    pub way: String,
    pub stage: String,
    pub text: String,
}

/// A number in hexadecimal digits that texts have.
pub fn fingerprint(texts: &[&str]) -> String {
    let mut hasher = FxHasher::default();
    texts.iter().for_each(|text| {
        hasher.write(text.as_bytes());
        hasher.write_u8(0xff);
    });
    format!("{:016x}", hasher.finish())
}

/// The key of a case: its program, arguments and ways, how long it is measured, and what measures.
pub fn key(case: &Case, text: &str, effort: &Effort) -> String {
    let types: Vec<String> = case.asked.types.iter().map(|ty| ty.to_string()).collect();
    let values: Vec<String> = case.asked.values.iter().map(|v| v.to_string()).collect();
    let what = format!("{:?} {:?} {types:?} {values:?} {:?}", case.name(), case.function, case.wrt);
    fingerprint(&[env!("CARGO_PKG_VERSION"), text, &what, &format!("{:?}", case.ways), &format!("{effort:?}")])
}

/// Measures a case. What fails is part of the record.
pub fn measure(case: &Case, key: String, effort: &Effort) -> Record {
    let start = Instant::now();
    let before = machine::load();
    let mut record = Record {
        key,
        program: case.program.clone(),
        kind: case.kind.clone(),
        file: case.file.clone(),
        function: case.function.clone(),
        call: case.asked.call.clone(),
        point: case.point.clone(),
        order: case.order,
        wrt: case.wrt.clone(),
        load: [before, None],
        seconds: 0.0,
        rows: Vec::new(),
        stages: Vec::new(),
    };
    let function = case.asked.function.with(Options::default());
    if let Err(e) = record.fill(case, &function, effort) {
        record.rows = vec![Row::failed(Names::value(), &e)];
    }
    record.load[1] = machine::load();
    record.seconds = start.elapsed().as_secs_f64();
    record
}

impl Record {
    /// The row of a strategy without variations, if it ran: its code and figures.
    pub(super) fn base(&self, strategy: &str) -> Option<(&Code, &Times)> {
        self.of(self.rows.iter().find(|row| row.way.strategy == strategy)?)
    }

    /// Code and figures of a row, or of the one with the same program, if it ran.
    pub(super) fn of<'r>(&'r self, row: &'r Row) -> Option<(&'r Code, &'r Times)> {
        let row = match &row.same {
            Some(other) => self.rows.iter().find(|row| row.way == *other)?,
            None => row,
        };
        row.code.as_ref().zip(row.run.as_ref())
    }

    fn fill(&mut self, case: &Case, function: &Function, effort: &Effort) -> Result<(), Error> {
        let q = &case.asked;
        let mut comparer = Comparer::new(function, &q.types, &[])?;
        let added: Vec<Result<usize, Error>> =
            case.ways.iter().map(|choice| comparer.add(function, &q.types, &choice.way(&case.wrt))).collect();
        let comparison = comparer.compare(&q.values, effort)?;
        self.rows.push(Row::new(Names::value(), comparer.value(), Ok(&comparison.value), [1.0; 3], 0.0));
        // The ways that are measured, by their numbers.
        let mut measured: Vec<Names> = Vec::new();
        for (choice, added) in case.ways.iter().zip(added) {
            self.rows.push(match added {
                Err(e) => Row::failed(choice.names(), &e),
                Ok(i) if i < measured.len() => Row { same: Some(measured[i].clone()), ..Row::empty(choice.names()) },
                Ok(i) => {
                    measured.push(choice.names());
                    let (row, compiled) = (&comparison.rows[i], &comparer.ways()[i].1);
                    let ratio = comparison.ratio(i).map_or([f64::NAN; 3], |r| [r.value, r.low, r.high]);
                    Row::new(choice.names(), compiled, row.run.as_ref(), ratio, row.difference.unwrap_or(f64::INFINITY))
                }
            });
        }
        if case.is_first {
            self.stages = stages(&measured, &comparer);
        }
        Ok(())
    }
}

/// A stage of more lines is cut; the command prints it whole.
const LINES: usize = 120;

/// The function itself, and the first ways by closures and by stacks at each stage. A stage that cannot be shown is left out.
fn stages(measured: &[Names], comparer: &Comparer) -> Vec<StageText> {
    let mut texts: Vec<StageText> = Vec::new();
    let mut add = |way: &str, stage: Stage, compiled: &Compiled| {
        if let Ok(view) = compiled.stage(stage) {
            let text = view.to_string();
            let (count, mut lines) = (text.lines().count(), text.lines().take(LINES).collect::<Vec<_>>());
            let cut = format!("; {} lines more", count.saturating_sub(LINES));
            if count > LINES {
                lines.push(&cut);
            }
            texts.push(StageText { way: way.into(), stage: format!("{stage:?}").to_lowercase(), text: lines.join("\n") });
        }
    };
    add("value", Stage::Lowered, comparer.value());
    for strategy in ["closure", "stack"] {
        if let Some(i) = measured.iter().position(|names| names.strategy == strategy) {
            let compiled = &comparer.ways()[i].1;
            for stage in [Stage::Typed, Stage::Adjoint, Stage::Optimised, Stage::Lowered] {
                add(strategy, stage, compiled);
            }
        }
    }
    texts
}

impl Row {
    fn failed(way: Names, e: &Error) -> Row {
        Row { error: Some(e.to_string()), ..Row::empty(way) }
    }

    fn empty(way: Names) -> Row {
        Row { way, same: None, code: None, run: None, error: None }
    }

    fn new(way: Names, compiled: &Compiled, run: Result<&Run, &Error>, ratio: [f64; 3], difference: f64) -> Row {
        let error = match run {
            Ok(_) if !difference.is_finite() => Some("its answer is infinitely far from that of the first way".into()),
            Ok(_) => None,
            Err(e) => Some(e.to_string()),
        };
        let (report, native) = (compiled.report(), compiled.native().map(|code| code.stats()));
        let code = Code {
            program: fingerprint(&[&print(&compiled.stages().lowered)]),
            mode: report.mode.as_ref().map(|d| d.mode.name().into()),
            nodes_typed: report.nodes.0,
            nodes_lowered: report.nodes.1,
            code_bytes: native.map(|s| s.code_bytes),
            closure_sites: native.map(|s| s.allocation_sites),
            indirect_calls: native.map(|s| s.indirect_calls),
            compile_seconds: report.seconds().iter().map(|(_, s)| s).sum(),
        };
        let run = run.ok().filter(|_| error.is_none()).map(|run| {
            let typical = typical(&run.times);
            Times {
                runs: run.runs,
                least: run.times.iter().copied().fold(f64::INFINITY, f64::min),
                quartiles: quartiles(&run.times),
                median: [typical.low, typical.high],
                outliers: outliers(&run.times),
                ratio,
                objects: run.usage.objects,
                heap_bytes: run.usage.heap_bytes,
                tape_bytes: run.usage.tape_bytes,
                records: run.usage.records,
                array_operations: run.usage.operations,
                difference,
                times: run.times.clone(),
            }
        });
        Row { way, same: None, code: Some(code), run, error }
    }
}
