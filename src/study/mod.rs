//! Studies: many programs by many ways, measured in turns, with tables, plots and sentences that the figures prove (docs/study.md).
//!
//! A case is one derivative of one program on one list of arguments; all its ways are measured in turns. Each case that is done is a
//! file in the folder of the study, so a study that was interrupted goes on where it was.
//!
//! ```
//! use gradus::compare::{Clock, Effort};
//! use gradus::study::{Asked, Axes, Output, Study, Subject};
//! use gradus::{Engine, Source};
//!
//! let text = "def cube(x): return x**3";
//! let cube = Engine::default().parse(Source::new("cube.py", text))?.function("cube")?;
//! let subject = Subject {
//!     name: "cube".into(),
//!     kind: "straight".into(),
//!     file: "cube.py".into(),
//!     text: text.into(),
//!     function: "cube".into(),
//!     wrt: None,
//!     axes: Axes::read("orders = [1, 2]\nstrategies = [\"closure\", \"stack\"]").map_err(|(e, _)| e)?,
//!     points: vec![(None, Asked::new(&cube, vec![2.0.into()], "cube(2.0)".into())?)],
//! };
//! let study = Study::of("A cube", vec![subject], Effort { seconds: 0.0, clock: Clock::Wall })?;
//! let report = study.run(&Output::default(), &mut |_| Ok(()))?;
//!
//! assert!(report.sentences().iter().any(|text| text.starts_with("Order 2: ")));
//! # Ok::<(), gradus::Error>(())
//! ```

mod cases;
mod file;
mod findings;
mod html;
mod load;
mod machine;
mod model;
mod outcome;
mod peers;
mod plots;
mod record;
mod regression;
mod table;
mod verdict;
mod ways;

pub use cases::{Asked, Point, Subject};
pub use file::Failure;
pub use findings::Finding;
pub use outcome::Outcome;
pub use plots::Plot;
pub use ways::Axes;

use crate::Error;
use crate::compare::Effort;
use cases::{Case, Refusal};
use file::File;
use load::Loaded;
use outcome::Results;
use peers::Tool;
use record::Record;
use regression::Regression;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The version of the schema of `study.json`.
const VERSION: u32 = 1;

/// What of a study's file to measure.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// What the file has under `[quick]` alone.
    pub quick: bool,
    /// Programs with this word in their names alone.
    pub only: Option<String>,
    /// How long to measure each way at least, in seconds; what the file says by default.
    pub seconds: Option<f64>,
}

/// Where a study is written, and what it is compared with.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The folder to write to; nothing is written where there is none.
    pub folder: Option<PathBuf>,
    /// Measure all cases anew; those of an earlier run become what the report compares with.
    pub fresh: bool,
    /// Compare with the study in this folder.
    pub against: Option<PathBuf>,
    /// Run the other tools that the file names, too; what they say is kept in the folder.
    pub peers: bool,
    /// What the report says the study was called with.
    pub flags: Vec<String>,
}

/// What happens while a study runs.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// A case of this name was measured by an earlier run.
    Known(&'a str),
    /// A case begins.
    Begins(&'a str),
    /// A case is done.
    Done {
        /// Its name.
        name: &'a str,
        /// How many rows it has in tables.
        rows: usize,
        /// How long it took.
        seconds: f64,
    },
}

/// Programs to measure, and how long.
pub struct Study {
    title: String,
    /// The file, or another word for where the study comes from.
    name: String,
    /// The folder of the file.
    folder: PathBuf,
    effort: Effort,
    tools: Vec<Tool>,
    /// The texts of the programs by their files.
    files: BTreeMap<String, String>,
    cases: Vec<Case>,
}

impl Study {
    /// Reads the file of a study, in TOML, and the programs that it names.
    ///
    /// # Errors
    /// What is wrong with the file or with a program, beside the text that it has its place in; [`Error::Arguments`] where no program is
    /// asked for.
    pub fn read(path: &Path, scope: &Scope) -> Result<Study, Failure> {
        let file = File::read(path)?;
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let quick = scope.quick.then_some(&file.quick);
        let is_asked = |name: &str| {
            let named = quick.is_none_or(|q| q.programs.is_empty() || q.programs.iter().any(|p| p.get_ref() == name));
            named && scope.only.as_ref().is_none_or(|word| name.contains(&**word))
        };
        let mut loaded = Loaded::default();
        let asked = file.programs.iter().filter(|program| is_asked(&program.name));
        let subjects = asked.map(|program| loaded.subject(&file, program, folder)).collect::<Result<Vec<Subject>, Failure>>()?;
        let seconds = scope.seconds.or(quick.and_then(|q| q.seconds)).unwrap_or(file.seconds);
        let orders = quick.and_then(|q| q.orders.as_deref());
        let study = Study::new(&file.title, &subjects, orders, Effort { seconds, clock: file.clock }).map_err(|e| (e, None))?;
        Ok(Study { name: path.display().to_string(), folder: folder.to_owned(), tools: file.peers, ..study })
    }

    /// A study of programs that are at hand.
    ///
    /// # Errors
    /// [`Error::Arguments`] where a program does not return a float or has none to differentiate in, or the time is none.
    pub fn of(title: &str, subjects: Vec<Subject>, effort: Effort) -> Result<Study, Error> {
        for subject in &subjects {
            subject.check().map_err(|Refusal { message, hint }| {
                Error::Arguments(hint.map_or(message.clone(), |hint| format!("{message}; {hint}")))
            })?;
        }
        Study::new(title, &subjects, None, effort)
    }

    fn new(title: &str, subjects: &[Subject], orders: Option<&[usize]>, effort: Effort) -> Result<Study, Error> {
        if !(0.0..=3600.0).contains(&effort.seconds) {
            return Err(Error::Arguments("the seconds of a study are a number from 0 to 3600".into()));
        }
        let cases: Vec<Case> = subjects.iter().flat_map(|subject| subject.cases(orders)).collect();
        if cases.is_empty() {
            return Err(Error::Arguments("the study has no program that is asked for".into()));
        }
        let files = subjects.iter().map(|s| (s.file.clone(), s.text.clone())).collect();
        let (name, folder) = (title.to_owned(), PathBuf::from("."));
        Ok(Study { title: title.to_owned(), name, folder, effort, tools: Vec::new(), files, cases })
    }

    /// How many cases it has.
    pub fn cases(&self) -> usize {
        self.cases.len()
    }

    /// Measures the cases. `watch` hears of each as it begins and ends, and may end the study by an error.
    ///
    /// # Errors
    /// What `watch` gives, and [`Error::File`] and [`Error::Output`] for what cannot be read or written. What fails in a program is a part
    /// of the report.
    pub fn run(&self, output: &Output, watch: &mut dyn FnMut(Event<'_>) -> Result<(), Error>) -> Result<Outcome, Error> {
        let folder = output.folder.as_deref();
        let mut against = output.against.as_ref().map(|folder| folder.join("study.json"));
        if let Some(folder) = folder {
            let previous = prepare(folder, output.fresh)?;
            against = against.or(previous);
        }
        let records = folder.map(|folder| folder.join("records"));
        let measured = self.measure(records.as_deref(), watch)?;
        let peers = peers::all(&self.tools, &self.folder, records.as_deref(), output.peers)?;
        let against = match against {
            Some(path) => Some(Regression::new(&read::<Results>(&path)?.records, &measured, &path)),
            None => None,
        };
        let results = Results::new(self, output, peers, measured);
        let report = Outcome::new(results, against)?;
        if let Some(folder) = folder {
            report.write(folder)?;
        }
        Ok(report)
    }

    /// The records of the cases: those that are in a folder, and the others measured now.
    fn measure(
        &self,
        folder: Option<&Path>,
        watch: &mut dyn FnMut(Event<'_>) -> Result<(), Error>,
    ) -> Result<Vec<Record>, Error> {
        let one = |case: &Case| {
            let text = self.files.get(&case.file).map_or("", |text| text);
            let (key, name) = (record::key(case, text, &self.effort), case.name());
            let path = folder.map(|folder| folder.join(format!("{name}.json")));
            let known = path.as_ref().and_then(|path| read::<Record>(path).ok());
            if let Some(known) = known.filter(|known| known.key == key) {
                watch(Event::Known(&name))?;
                return Ok(known);
            }
            watch(Event::Begins(&name))?;
            let record = record::measure(case, key, &self.effort);
            if let Some(path) = &path {
                write_json(path, &record)?;
            }
            watch(Event::Done { name: &name, rows: record.rows.len(), seconds: record.seconds })?;
            Ok(record)
        };
        self.cases.iter().map(one).collect()
    }
}

/// Makes the folder of a study; gives the file of an earlier run that the report compares with.
fn prepare(folder: &Path, fresh: bool) -> Result<Option<PathBuf>, Error> {
    let (records, plots) = (folder.join("records"), folder.join("plots"));
    make(&records)?;
    make(&plots)?;
    let (results, previous) = (folder.join("study.json"), folder.join("previous.json"));
    if fresh {
        if results.exists() {
            std::fs::rename(&results, &previous).map_err(|e| unwritable(&previous, &e))?;
        }
        clear(&records)?;
    }
    clear(&plots)?;
    Ok(previous.exists().then_some(previous))
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

fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|e| unwritable(path, &e))
}

/// Writes a file that is whole or not there, even if the command is interrupted.
fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), Error> {
    let text = serde_json::to_string(value).map_err(|e| Error::Internal(e.to_string()))?;
    let unfinished = path.with_extension("unfinished");
    write(&unfinished, &(text + "\n"))?;
    std::fs::rename(&unfinished, path).map_err(|e| unwritable(path, &e))
}
