//! All that a study found, and its files.

use super::findings::{self, Finding};
use super::machine::Machine;
use super::peers::Peer;
use super::plots::{self, Plot};
use super::record::Record;
use super::regression::Regression;
use super::{Output, Study, VERSION, html, table, write, write_json};
use crate::Error;
use crate::compare::Clock;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;

/// What a study measured and says: `study.json`.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Results {
    pub version: u32,
    pub title: String,
    /// The file of the study.
    pub study: String,
    /// The words of the command after its file.
    pub flags: Vec<String>,
    /// The time of measured runs of each way, in seconds.
    pub seconds_each: f64,
    /// What times are: `cpu`, on processors, or `wall`, all that passes.
    pub clock: String,
    /// How long all cases took, in seconds.
    pub seconds: f64,
    pub machine: Machine,
    pub findings: Vec<Finding>,
    /// What other tools said.
    pub peers: Vec<Peer>,
    /// The texts of the programs by their files.
    pub files: BTreeMap<String, String>,
    pub records: Vec<Record>,
}

impl Results {
    pub fn new(study: &Study, output: &Output, peers: Vec<Peer>, records: Vec<Record>) -> Results {
        Results {
            version: VERSION,
            title: study.title.clone(),
            study: study.name.clone(),
            flags: output.flags.clone(),
            seconds_each: study.effort.seconds,
            clock: match study.effort.clock {
                Clock::Cpu => "cpu".into(),
                Clock::Wall => "wall".into(),
            },
            seconds: records.iter().map(|r| r.seconds).sum(),
            machine: Machine::now(&study.folder),
            findings: findings::all(&records),
            peers,
            files: study.files.clone(),
            records,
        }
    }
}

/// What a study found.
pub struct Outcome {
    results: Results,
    plots: Vec<Plot>,
    against: Option<Regression>,
}

impl Outcome {
    pub(super) fn new(results: Results, against: Option<Regression>) -> Result<Outcome, Error> {
        let plots = plots::all(&results.records, &results.findings)?;
        Ok(Outcome { results, plots, against })
    }

    /// The sentences that the figures prove, each with its table.
    pub fn findings(&self) -> &[Finding] {
        &self.results.findings
    }

    /// The sentences alone, and how the study compares with an earlier run.
    pub fn sentences(&self) -> Vec<String> {
        let own = self.results.findings.iter().map(|f| f.text.clone());
        own.chain(self.against.as_ref().map(Regression::summary)).collect()
    }

    /// The plots of findings and sweeps.
    pub fn plots(&self) -> &[Plot] {
        &self.plots
    }

    /// The names of the columns of `study.csv`.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> + use<> {
        table::columns()
    }

    /// The rows under them: one for each way of each case. Times are in seconds, memory in bytes.
    pub fn rows(&self) -> Vec<Vec<Json>> {
        table::rows(&self.results.records)
    }

    /// The report as a page for a browser: one file that loads nothing.
    pub fn html(&self) -> String {
        html::report(&self.results, &self.plots, self.against.as_ref())
    }

    /// Writes the files of docs/study.md into a folder, which is made if need be.
    ///
    /// # Errors
    /// [`Error::Output`] where a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        super::make(&folder.join("plots"))?;
        for plot in &self.plots {
            write(&folder.join("plots").join(format!("{}.svg", plot.name)), &plot.svg)?;
        }
        write(&folder.join("report.html"), &self.html())?;
        write(&folder.join("findings.md"), &findings::markdown(&self.results.findings))?;
        write(&folder.join("study.csv"), &table::csv(&self.results.records))?;
        // The graphs are in the report, and with the records.
        let mut results = self.results.clone();
        results.records.iter_mut().for_each(|record| record.stages.clear());
        write_json(&folder.join("study.json"), &results)
    }
}
