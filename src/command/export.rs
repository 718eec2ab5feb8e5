//! `gradus export`: programs in StableHLO, and how they lie on devices (docs/xla.md).

use super::{Asked, Differentiate, Question, answer, ask_file};
use clap::Args;
use gradus::xla::{self, Sharding, Xla};
use gradus::{Backend, Error, Program, Request};
use serde_json::json;
use std::path::PathBuf;
use std::process::ExitCode;

/// Where XLA runs a program.
#[derive(Args, Clone, Debug)]
pub struct Placing {
    /// The plugin of XLA for --backend xla, a shared library [default: the environment variable GRADUS_XLA_PLUGIN].
    #[arg(long, value_name = "PATH")]
    plugin: Option<PathBuf>,
    /// The devices that the program is split over by XLA: names and sizes of the axes of a grid, as data=4,model=2.
    #[arg(long, value_name = "AXES", default_value = "", hide_default_value = true)]
    mesh: String,
    /// The arguments that are split, with an axis of the mesh for each dimension, as x=data,w1=:model. The result is called return; a
    /// gradient is split as its argument is.
    #[arg(long, value_name = "LIST", default_value = "", hide_default_value = true)]
    shard: String,
}

impl Placing {
    pub fn sharding(&self) -> Result<Sharding, Error> {
        Sharding::parse(&self.mesh, &self.shard)
    }

    /// The plugin, with as many devices as a sharding has.
    pub fn plugin(&self, sharding: &Sharding) -> Result<Xla, Error> {
        match &self.plugin {
            Some(path) => Xla::with_devices(path, sharding.devices()),
            None => Xla::named(sharding.devices()),
        }
    }
}

#[derive(Args, Debug)]
pub struct Export {
    #[command(flatten)]
    differentiate: Differentiate,
    /// The file to write: text, or a portable artifact if its name ends in .mlirbc [default: text, to standard output].
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    stablehlo: Option<PathBuf>,
    /// Export the function itself, not its gradient.
    #[arg(long)]
    primal: bool,
    /// How many records a tape has room for, where the program does not say how many there are.
    #[arg(long, value_name = "N", default_value_t = xla::TRIPS)]
    trips: usize,
    /// How many elements a list of numbers has room for, where only the run knows how many it has.
    #[arg(long, value_name = "N", default_value_t = xla::TRIPS)]
    elements: usize,
}

/// Exports, and prints what was asked for.
pub fn ask(flags: &Export) -> ExitCode {
    let call = &flags.differentiate.call;
    ask_file(&call.file, call.choices.options(Backend::Interp), call.json, |program| export(program, flags))
}

fn export(program: &Program, flags: &Export) -> Result<String, Error> {
    let q = Question::for_either(program, &flags.differentiate, flags.primal)?;
    let compiled = match flags.primal {
        true => q.function.compile(&q.types, &Request::Value)?,
        false => Asked::new(&q, &flags.differentiate)?.compile(&q)?,
    };
    let room = xla::Room { trips: flags.trips, elements: flags.elements };
    let found = compiled.stablehlo(&flags.differentiate.call.xla.sharding()?, room)?;
    let file = flags.stablehlo.as_ref().filter(|path| path.as_os_str() != "-");
    if let Some(path) = file {
        match path.extension().is_some_and(|ending| ending == "mlirbc") {
            true => answer::write(path, found.artifact())?,
            false => answer::write(path, &found.text)?,
        }
    }
    if !flags.differentiate.call.json {
        return Ok(if file.is_some() { String::new() } else { found.text });
    }
    let types = |list: &[xla::Tensor]| list.iter().map(|t| t.to_string()).collect::<Vec<_>>();
    let line = |span: gradus::Span| program.source().position(span).map(|(_, line, _)| line);
    let fault = |fault: &xla::Fault| match fault {
        xla::Fault::Trap(kind, span) => json!({"kind": kind.to_string(), "line": line(*span)}),
        xla::Fault::Long => json!({"kind": "a list is full"}),
        _ => json!({"kind": "a tape is full"}),
    };
    let mut answer = json!({
        "params": types(&found.params),
        "results": types(&found.results),
        "faults": found.faults.iter().map(fault).collect::<Vec<_>>(),
        "depends_on_trips": found.depends_on_trips,
        "depends_on_elements": found.depends_on_elements,
    });
    if file.is_none() {
        answer["stablehlo"] = found.text.into();
    }
    Ok(answer.to_string())
}
