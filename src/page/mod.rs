//! A page of a compiled program: its stages as graphs and as text, one beside the other and beside the source, in one file that loads
//! nothing.

mod drawn;
mod places;

use crate::{Compiled, Error, Function, Program, explain};
use drawn::Drawn;
use gradus_backend::jit::Jit;
use gradus_ir::drawing::{self, Drawing};
use gradus_ir::{Module, print};
use places::Places;
use serde::Serialize;

/// A picture of more nodes and layers is left out: layouts of several of them would take minutes.
const LIMIT: usize = 2000;

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// All that the script of the page reads.
#[derive(Serialize)]
struct Data {
    title: String,
    sections: Vec<places::Section>,
    stages: Vec<Stage>,
    changes: Vec<Changes>,
    /// What the compiler decided, line by line.
    decisions: Vec<String>,
    /// The passes with their seconds.
    passes: Vec<(String, f64)>,
}

/// A program at a stage.
#[derive(Serialize)]
struct Stage {
    name: &'static str,
    about: &'static str,
    text: String,
    drawn: Option<Drawn>,
}

/// What the passes between two stages did.
#[derive(Serialize)]
struct Changes {
    /// The numbers of the stages.
    since: usize,
    to: usize,
    drawn: Option<Drawn>,
}

/// The page of a function that was compiled for a request, as the text of an HTML file: each stage as a drawing and as text, what the
/// passes between two stages added and removed, the source with the place of each node, what the compiler decided. A drawing that is too
/// large to be laid out is left out.
///
/// ```
/// use gradus::{Engine, Source, page};
///
/// let program = Engine::default().parse(Source::new("cube.py", "def cube(x): return x**3"))?;
/// let cube = program.function("cube")?;
/// let gradient = cube.grad::<f64>()?;
/// let page = page::of("cube(2.0)", &program, &cube, &gradient.compiled(0.0)?)?;
/// assert!(page.starts_with("<!doctype html>") && page.contains("optimised"));
/// # Ok::<(), gradus::Error>(())
/// ```
///
/// # Errors
/// Those of [`Compiled::stage`] and [`Compiled::machine_code`].
pub fn of(title: &str, program: &Program, function: &Function, compiled: &Compiled) -> Result<String, Error> {
    let source = program.source();
    let places = Places::new(source);
    let modules: Vec<(&str, &str, Module)> = vec![
        ("source", "as the front end made it, without types", function.source().clone()),
        ("typed", "after inference", compiled.stage(crate::Stage::Typed)?.module().clone()),
        (
            "adjoint",
            "with every derivative expanded, nothing simplified",
            compiled.stage(crate::Stage::Adjoint)?.module().clone(),
        ),
        ("optimised", "simplified", compiled.stage(crate::Stage::Optimised)?.module().clone()),
        ("lowered", "as it runs", compiled.stage(crate::Stage::Lowered)?.module().clone()),
    ];
    let options = drawing::Options { legend: true, ..drawing::Options::default() };
    let drawn = |drawing: &Drawing| Drawn::new(drawing, &places, LIMIT);
    let mut stages = Vec::new();
    for (name, about, module) in &modules {
        stages.push(Stage { name, about, text: print::print(module), drawn: drawn(&Drawing::new(module, &options))? });
    }
    let listing = Jit::with_listing().build(&compiled.stages().lowered)?;
    let (text, picture) = (listing.listing().text().to_owned(), drawn(listing.listing().drawing())?);
    stages.push(Stage { name: "machine", about: "as Cranelift's IR, and in text as machine code", text, drawn: picture });
    let mut changes = Vec::new();
    // The first stage has other nodes throughout.
    for to in 2..modules.len() {
        for since in 1..to {
            let drawing = Drawing::changes(&modules[since].2, &modules[to].2, &options);
            changes.push(Changes { since, to, drawn: drawn(&drawing)? });
        }
    }
    let data = Data {
        title: title.to_owned(),
        sections: places.sections(),
        stages,
        changes,
        decisions: explain::lines(compiled, source),
        passes: compiled.report().seconds().iter().map(|(name, seconds)| (name.to_string(), *seconds)).collect(),
    };
    let json = serde_json::to_string(&data).map_err(|e| Error::Internal(e.to_string()))?;
    // No text ends the element that it stands in.
    let json = json.replace('<', "\\u003c");
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let parts = [("{title}", &*title), ("{style}", STYLE), ("{data}", &*json), ("{script}", SCRIPT)];
    let mut page = String::new();
    let mut rest = FRAME;
    // One part after the other, so that no text is taken for a place of the frame.
    for (place, text) in parts {
        let (before, after) = rest.split_once(place).ok_or_else(|| Error::Internal(format!("the page has no {place}")))?;
        page += before;
        page += text;
        rest = after;
    }
    Ok(page + rest)
}
