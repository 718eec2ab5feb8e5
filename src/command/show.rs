//! `gradus ir`, `gradus dot` and `gradus show`: the program at a stage, as text and as a drawing, and all stages as a page.

use super::{Asked, Differentiate, Question, answer};
use clap::{Args, ValueEnum};
use gradus::compare::call_text;
use gradus::explain;
use gradus::{Compiled, Error, Module, Program, Request, page, pipeline, svg};
use gradus_backend::jit::Jit;
use gradus_ir::drawing::{self, Drawing};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Args, Debug)]
pub struct Look {
    #[command(flatten)]
    pub differentiate: Differentiate,
    /// Say which mode and which strategy was chosen for which function, and which values are kept, and why, in comments.
    #[arg(long)]
    explain: bool,
    /// What to show.
    #[arg(long, value_enum, default_value = "optimised")]
    stage: Stage,
    /// Show the function itself, not its gradient.
    #[arg(long)]
    primal: bool,
}

#[derive(Args, Debug)]
pub struct Dot {
    #[command(flatten)]
    pub look: Look,
    /// Show what the passes since this stage have added, in green, and removed, in red.
    #[arg(long, value_enum, value_name = "STAGE")]
    diff: Option<Stage>,
    /// Draw the graph into a file instead, without Graphviz.
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct Show {
    #[command(flatten)]
    pub differentiate: Differentiate,
    /// Show the function itself, not its gradient.
    #[arg(long)]
    primal: bool,
    /// The file to write [default: the name of the function, and .html].
    #[arg(long, value_name = "FILE.html")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Debug)]
enum Stage {
    /// As the front end made it, without types.
    Source,
    /// After inference.
    Typed,
    /// With every derivative expanded, nothing simplified.
    Adjoint,
    /// Simplified.
    Optimised,
    /// What executors run.
    Lowered,
    /// Each function as Cranelift IR and, in text, as machine code.
    Machine,
}

impl Stage {
    fn name(self) -> String {
        self.to_possible_value().map(|v| v.get_name().to_owned()).unwrap_or_default()
    }
}

/// A program that is looked at. It is compiled when a stage after the source is asked for.
struct Shown<'a> {
    program: &'a Program,
    look: &'a Look,
    question: Question,
    compiled: Option<Arc<Compiled>>,
}

impl<'a> Shown<'a> {
    fn new(program: &'a Program, look: &'a Look) -> Result<Shown<'a>, Error> {
        let question = Question::for_either(program, &look.differentiate, look.primal)?;
        let compiled = match (look.stage, look.primal) {
            (Stage::Source, _) => None,
            (_, true) => Some(question.function.compile(&question.types, &Request::Value)?),
            (_, false) => Some(Asked::new(&question, &look.differentiate)?.compile(&question)?),
        };
        Ok(Shown { program, look, question, compiled })
    }

    /// The module at a stage up to the one that is asked for; that of stage `machine` is what it is compiled from.
    fn module(&self, stage: Stage) -> Result<Module, Error> {
        let Some(compiled) = self.compiled.as_ref().filter(|_| stage != Stage::Source) else {
            return Ok(self.question.function.source().clone());
        };
        let stages = compiled.stages();
        Ok(match stage {
            Stage::Source | Stage::Typed => gradus_ir::Module::clone(&stages.typed),
            Stage::Adjoint => pipeline::adjoint(stages, &self.look.differentiate.call.options().plan)?,
            Stage::Optimised => stages.optimised.clone(),
            Stage::Lowered | Stage::Machine => stages.lowered.clone(),
        })
    }

    /// What `--explain` asks for, line by line.
    fn explained(&self, comment: &str) -> String {
        let compiled = self.compiled.as_ref().filter(|_| self.look.explain);
        let lines = compiled.map(|compiled| explain::lines(compiled, self.program.source())).unwrap_or_default();
        lines.iter().map(|line| format!("{comment}{line}\n")).collect()
    }

    /// The answer: the text itself, or an object that holds it under a key.
    fn answer(&self, key: &str, text: String) -> String {
        if !self.look.differentiate.call.json {
            return text;
        }
        json!({"stage": self.look.stage.name(), key: text}).to_string()
    }
}

/// Writes the page of a function; gives the name of the file.
pub fn show(program: &Program, flags: &Show) -> Result<String, Error> {
    let call = &flags.differentiate.call;
    let question = Question::for_either(program, &flags.differentiate, flags.primal)?;
    let compiled = match flags.primal {
        true => question.function.compile(&question.types, &Request::Value)?,
        false => Asked::new(&question, &flags.differentiate)?.compile(&question)?,
    };
    let title = call_text(&call.function, &question.values, None);
    let title = if flags.primal { title } else { format!("derivative of {title}") };
    let path = flags.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.html", call.function)));
    answer::write(&path, &page::of(&title, program, &question.function, &compiled)?)?;
    let written = path.display().to_string();
    Ok(if call.json { json!({ "page": written }).to_string() } else { format!("written: {written}") })
}

pub fn ir(program: &Program, look: &Look) -> Result<String, Error> {
    let shown = Shown::new(program, look)?;
    let m = shown.module(look.stage)?;
    let text = match look.stage {
        Stage::Machine => Jit::with_listing().build(&m)?.listing().text().to_owned(),
        _ => gradus_ir::print::print(&m),
    };
    Ok(shown.answer("ir", shown.explained("; ") + &text))
}

pub fn dot(program: &Program, flags: &Dot) -> Result<String, Error> {
    let stage = flags.look.stage;
    if stage == Stage::Machine && flags.diff.is_some() {
        return Err(Error::Unavailable("--diff compares modules; stage machine is none".into()));
    }
    if let Some(since) = flags.diff.filter(|&since| since > stage) {
        let (stage, since) = (stage.name(), since.name());
        return Err(Error::Arguments(format!("--diff names a stage up to the one that is shown; {since} comes after {stage}")));
    }
    let shown = Shown::new(program, &flags.look)?;
    let m = shown.module(stage)?;
    let options = drawing::Options { legend: true, ..drawing::Options::default() };
    let drawing = match flags.diff {
        Some(since) => Drawing::changes(&shown.module(since)?, &m, &options),
        None if stage == Stage::Machine => {
            let mut drawing = Jit::with_listing().build(&m)?.listing().drawing().clone();
            drawing.legend();
            drawing
        }
        None => Drawing::new(&m, &options),
    };
    let Some(path) = &flags.svg else {
        return Ok(shown.answer("dot", shown.explained("// ") + &gradus_ir::dot::write(&drawing)));
    };
    answer::write(path, &svg::draw(&drawing)?)?;
    let written = path.display().to_string();
    Ok(shown.answer("svg", if flags.look.differentiate.call.json { written } else { shown.explained("") }))
}
