//! `gradus study`: many programs by many ways, measured by one command, as tables, plots and a report (docs/study.md).

mod progress;

use super::{answer, size};
use clap::Args;
use gradus::study::{Event, Failure, Output, Scope, Study};
use gradus::{Error, print_to};
use gradus_backend::memory;
use progress::Progress;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct Flags {
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

/// Runs a study.
pub fn study(flags: &Flags) -> ExitCode {
    match run(flags) {
        Ok(text) => {
            answer::print(&text);
            ExitCode::SUCCESS
        }
        Err((e, source)) => answer::failure(&e, source.as_ref(), false),
    }
}

fn run(flags: &Flags) -> Result<String, Failure> {
    if let Some(bytes) = flags.memory {
        memory::limit_to(bytes);
    }
    print_to(Some(Box::new(|_| {})));
    if flags.seconds.is_some_and(|seconds| !(0.0..=3600.0).contains(&seconds)) {
        return Err((Error::Arguments("--seconds is a number from 0 to 3600".into()), None));
    }
    let scope = Scope { quick: flags.quick, only: flags.only.clone(), seconds: flags.seconds };
    let study = Study::read(&flags.file, &scope)?;
    let folder = flags.file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = flags.out.clone().unwrap_or_else(|| folder.join(if flags.quick { "report-quick" } else { "report" }));
    let output = Output {
        folder: Some(folder.clone()),
        fresh: flags.fresh,
        against: flags.against.clone(),
        peers: flags.peers,
        flags: std::env::args().skip(2).filter(|a| Path::new(a) != flags.file).collect(),
    };
    let mut progress = Progress::new(study.cases());
    let mut watch = |event: Event<'_>| {
        match event {
            Event::Known(_) => progress.known(),
            Event::Begins(name) => progress.begin(name),
            Event::Done { name, rows, seconds } => progress.done(name, rows, seconds),
        }
        Ok(())
    };
    let report = study.run(&output, &mut watch).map_err(|e| (e, None))?;
    let written = format!("written: {}", folder.join("report.html").display());
    Ok(report.sentences().into_iter().chain([written]).collect::<Vec<_>>().join("\n"))
}
