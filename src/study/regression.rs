//! What changed since another run of a study.

use super::cases::Point;
use super::record::{Record, Row};
use super::verdict::{SMALL, interval};
use super::ways::Names;
use std::collections::BTreeMap;
use std::path::Path;

/// What changed since another run.
pub struct Regression {
    /// The file of the other run.
    pub against: String,
    /// How many rows both have.
    pub compared: usize,
    pub changes: Vec<Change>,
}

/// A row that changed.
pub struct Change {
    pub program: String,
    pub order: usize,
    pub point: Option<Point>,
    pub way: Names,
    pub what: &'static str,
    pub before: String,
    pub after: String,
    /// Whether it is a change for the worse.
    pub is_worse: bool,
}

impl Regression {
    /// Compares records with those of the file at `path`. A time changed if the intervals of its ratio to the value do not meet, and the
    /// ratios differ by more than 5 %; nodes and bytes changed if they differ.
    pub fn new(before: &[Record], after: &[Record], path: &Path) -> Regression {
        let mut rows: BTreeMap<(String, usize, Names), &Row> = BTreeMap::new();
        for record in before {
            rows.extend(record.rows.iter().map(|row| ((at(record), record.order, row.way.clone()), row)));
        }
        let mut found = Regression { against: path.display().to_string(), compared: 0, changes: Vec::new() };
        for record in after {
            for row in &record.rows {
                let Some(old) = rows.get(&(at(record), record.order, row.way.clone())) else { continue };
                found.compared += 1;
                for (what, before, after, is_worse) in changes(old, row) {
                    let change = Change {
                        program: record.program.clone(),
                        order: record.order,
                        point: record.point.clone(),
                        way: row.way.clone(),
                        what,
                        before,
                        after,
                        is_worse,
                    };
                    found.changes.push(change);
                }
            }
        }
        found
    }

    /// One sentence.
    pub fn summary(&self) -> String {
        let worse = self.changes.iter().filter(|c| c.is_worse).count();
        let better = self.changes.len() - worse;
        format!("Since {}, of {} rows: {worse} figures are worse, {better} are better.", self.against, self.compared)
    }
}

/// The program and the value of the swept argument.
fn at(record: &Record) -> String {
    let point = record.point.as_ref().map(|p| format!(" {}={}", p.argument, p.value)).unwrap_or_default();
    record.program.clone() + &point
}

type Changed = (&'static str, String, String, bool);

fn changes(before: &Row, after: &Row) -> Vec<Changed> {
    let mut found = Vec::new();
    if before.error.is_some() != after.error.is_some() {
        let shown = |row: &Row| row.error.clone().unwrap_or_else(|| "it runs".into());
        found.push(("failure", shown(before), shown(after), after.error.is_some()));
    }
    if let (Some(b), Some(a)) = (&before.code, &after.code)
        && b.nodes_lowered != a.nodes_lowered
    {
        found.push(("nodes", b.nodes_lowered.to_string(), a.nodes_lowered.to_string(), a.nodes_lowered > b.nodes_lowered));
    }
    if let (Some(b), Some(a)) = (&before.run, &after.run) {
        if b.kept() != a.kept() {
            found.push(("kept bytes", b.kept().to_string(), a.kept().to_string(), a.kept() > b.kept()));
        }
        let [old, new] = [b, a].map(interval);
        if !old.meets(&new) && (new.value / old.value).ln().abs() > SMALL {
            found.push(("time ÷ value", old.to_string(), new.to_string(), new.value > old.value));
        }
    }
    found
}
