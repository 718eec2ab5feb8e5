//! `gradus study`: many programs by many ways, measured by one command, as tables, plots and a report (docs/study.md).
//!
//! A case is one derivative of one program on one list of arguments; all its ways are measured in turns. Each case that is done is a
//! file in the folder of the study, so a study that was interrupted goes on where it was.

mod cases;
mod file;
mod findings;
mod html;
mod machine;
mod model;
mod peers;
mod plots;
mod progress;
mod record;
mod regression;
mod table;
mod verdict;
mod ways;

use super::{answer, size};
use cases::{Case, Loaded};
use clap::Args;
use file::{Failure, File};
use findings::Finding;
use gradus::compare::{Clock, Effort};
use gradus::{Error, print_to};
use gradus_backend::memory;
use machine::Machine;
use peers::Peer;
use progress::Progress;
use record::Record;
use regression::Regression;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The version of the schema of `study.json`.
const VERSION: u32 = 1;

#[derive(Args, Debug)]
pub struct Study {
    /// The file of the study, in TOML.
    file: PathBuf,
    /// The folder to write to [default: `report` beside the file, or `report-quick`].
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Measure all cases anew; those of an earlier run become what the report compares with.
    #[arg(long)]
    fresh: bool,
    /// Measure what the file has under [quick] alone.
    #[arg(long)]
    quick: bool,
    /// Compare with the study in this folder [default: the earlier run of this one].
    #[arg(long, value_name = "FOLDER")]
    against: Option<PathBuf>,
    /// Run the other tools that the file names, too.
    #[arg(long)]
    peers: bool,
    /// Only programs with this word in their names.
    #[arg(long, value_name = "WORD")]
    only: Option<String>,
    /// How long to measure each way at least [default: what the file says].
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
    /// How much memory a program may take, as 500M or 2G [default: three quarters of what the machine or its control group has].
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<usize>,
}

/// All that a study found: `study.json`.
#[derive(Serialize, Deserialize, Debug)]
struct Results {
    version: u32,
    title: String,
    /// The file of the study.
    study: String,
    /// The words of the command after its file.
    flags: Vec<String>,
    /// The time of measured runs of each way, in seconds.
    seconds_each: f64,
    /// What times are: `cpu`, on processors, or `wall`, all that passes.
    clock: String,
    /// How long all cases took, in seconds.
    seconds: f64,
    machine: Machine,
    findings: Vec<Finding>,
    /// What other tools said.
    peers: Vec<Peer>,
    /// The texts of the programs by their files.
    files: BTreeMap<String, String>,
    records: Vec<Record>,
}

/// Runs a study.
pub fn study(flags: &Study) -> ExitCode {
    match run(flags) {
        Ok(text) => {
            answer::print(&text);
            ExitCode::SUCCESS
        }
        Err((e, source)) => answer::failure(&e, source.as_ref(), false),
    }
}

fn run(flags: &Study) -> Result<String, Failure> {
    if let Some(bytes) = flags.memory {
        memory::limit_to(bytes);
    }
    print_to(Some(Box::new(|_| {})));
    let study = File::read(&flags.file)?;
    let folder = flags.file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut loaded = Loaded::default();
    let cases = loaded.cases(&study, folder, flags.quick, flags.only.as_deref())?;
    let quick = if flags.quick { study.quick.seconds } else { None };
    let seconds = flags.seconds.or(quick).unwrap_or(study.seconds);
    if !(0.0..=3600.0).contains(&seconds) {
        return Err((Error::Arguments("--seconds is a number from 0 to 3600".into()), None));
    }
    let out = flags.out.clone().unwrap_or_else(|| folder.join(if flags.quick { "report-quick" } else { "report" }));
    let effort = Effort { seconds, clock: study.clock };
    report(flags, &study, folder, &loaded.texts(), &cases, &effort, &out).map_err(|e| (e, None))
}

/// Measures the cases and writes the folder; gives what the command prints.
fn report(
    flags: &Study,
    study: &File,
    folder: &Path,
    files: &BTreeMap<String, String>,
    cases: &[Case],
    effort: &Effort,
    out: &Path,
) -> Result<String, Error> {
    make(&out.join("records"))?;
    make(&out.join("plots"))?;
    let (results, previous) = (out.join("study.json"), out.join("previous.json"));
    if flags.fresh {
        if results.exists() {
            std::fs::rename(&results, &previous).map_err(|e| unwritable(&previous, &e))?;
        }
        clear(&out.join("records"))?;
    }
    clear(&out.join("plots"))?;
    let records = measure(cases, files, effort, &out.join("records"))?;
    let against = flags.against.as_ref().map(|folder| folder.join("study.json"));
    let against = match against.or_else(|| previous.exists().then_some(previous)) {
        Some(path) => Some(Regression::new(&read::<Results>(&path)?.records, &records, &path)),
        None => None,
    };
    let findings = findings::all(&records);
    let plots = plots::all(&records, &findings)?;
    for plot in &plots {
        answer::write(&out.join("plots").join(format!("{}.svg", plot.name)), &plot.svg)?;
    }
    let mut all = Results {
        version: VERSION,
        title: study.title.clone(),
        study: flags.file.display().to_string(),
        flags: std::env::args().skip(2).filter(|a| Path::new(a) != flags.file).collect(),
        seconds_each: effort.seconds,
        clock: match effort.clock {
            Clock::Cpu => "cpu".into(),
            Clock::Wall => "wall".into(),
        },
        seconds: records.iter().map(|r| r.seconds).sum(),
        machine: Machine::now(folder),
        findings,
        peers: peers::all(&study.peers, folder, &out.join("records"), flags.peers)?,
        files: files.clone(),
        records,
    };
    answer::write(&out.join("report.html"), &html::report(&all, &plots, against.as_ref()))?;
    answer::write(&out.join("findings.md"), &findings::markdown(&all.findings))?;
    answer::write(&out.join("study.csv"), &table::csv(&all.records))?;
    // The graphs are in the report, and with the records.
    all.records.iter_mut().for_each(|record| record.stages.clear());
    write_json(&results, &all)?;
    let written = format!("written: {}", out.join("report.html").display());
    let said = all.findings.iter().map(|f| f.text.clone()).chain(against.map(|r| r.summary())).chain([written]);
    Ok(said.collect::<Vec<_>>().join("\n"))
}

/// The records of the cases: those that are there, and the others measured now.
fn measure(cases: &[Case], files: &BTreeMap<String, String>, effort: &Effort, folder: &Path) -> Result<Vec<Record>, Error> {
    let mut progress = Progress::new(cases.len());
    cases
        .iter()
        .map(|case| {
            let text = files.get(&case.file.display().to_string()).map_or("", |text| text);
            let key = record::key(case, text, effort);
            let path = folder.join(format!("{}.json", case.name()));
            if let Some(known) = read::<Record>(&path).ok().filter(|known| known.key == key) {
                progress.known();
                return Ok(known);
            }
            progress.begin(&case.name());
            let record = record::measure(case, key, effort);
            write_json(&path, &record)?;
            progress.done(&case.name(), record.rows.len(), record.seconds);
            Ok(record)
        })
        .collect()
}

fn make(folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder).map_err(|e| unwritable(folder, &e))
}

/// Removes the files of a folder of a study.
fn clear(folder: &Path) -> Result<(), Error> {
    let entries = std::fs::read_dir(folder).map_err(|e| unwritable(folder, &e))?;
    for path in entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p.extension().is_some_and(|e| e == "json" || e == "svg"))
    {
        std::fs::remove_file(&path).map_err(|e| unwritable(&path, &e))?;
    }
    Ok(())
}

fn unwritable(path: &Path, e: &std::io::Error) -> Error {
    Error::Output { path: path.display().to_string(), message: e.to_string() }
}

fn read<T: for<'d> Deserialize<'d>>(path: &Path) -> Result<T, Error> {
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|e| Error::File { path: shown.clone(), message: e.to_string() })?;
    serde_json::from_str(&text).map_err(|e| Error::Arguments(format!("{shown} is no study of version {VERSION}: {e}")))
}

/// Writes a file that is whole or not there, even if the command is interrupted.
fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), Error> {
    let text = serde_json::to_string(value).map_err(|e| Error::Internal(e.to_string()))?;
    let unfinished = path.with_extension("unfinished");
    answer::write(&unfinished, &(text + "\n"))?;
    std::fs::rename(&unfinished, path).map_err(|e| unwritable(path, &e))
}
