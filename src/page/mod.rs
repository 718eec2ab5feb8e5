//! A page of a compiled program: its stages as graphs and as text, one beside the other and beside the source, in one file that loads
//! nothing.

mod drawn;
mod places;

use crate::{Compiled, Error, Function, Program, explain};
use drawn::Drawn;
use gradus_backend::jit::Jit;
use gradus_ir::drawing::{self, Change, Drawing};
use gradus_ir::{Module, print};
use places::Places;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// A picture of more nodes and layers is left out: its layout would take seconds, and the page has several.
const LIMIT: usize = 1000;

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

/// What the passes between two stages did, by the numbers of the stages and of the nodes in their drawings.
#[derive(Serialize)]
struct Changes {
    since: usize,
    to: usize,
    /// Nodes that the later stage alone has.
    added: Vec<usize>,
    /// Nodes that the earlier one alone has.
    removed: Vec<usize>,
}

impl Changes {
    fn new(since: (usize, &Module), to: (usize, &Module)) -> Changes {
        let options = drawing::Options::default();
        let old: FxHashMap<String, usize> =
            Drawing::new(since.1, &options).nodes.into_iter().enumerate().map(|(i, n)| (n.id, i)).collect();
        let both = Drawing::changes(since.1, to.1, &options).nodes;
        // The nodes of the later stage come first, in their order.
        let added = both.iter().enumerate().filter(|(_, n)| n.change == Some(Change::Added)).map(|(i, _)| i).collect();
        let removed = both.iter().filter(|n| n.change == Some(Change::Removed));
        let removed = removed.filter_map(|n| old.get(n.id.strip_prefix("old")?).copied()).collect();
        Changes { since: since.0, to: to.0, added, removed }
    }
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
/// let page = page::of("cube(2.0)", &program, &cube, &*gradient.compiled(0.0)?)?;
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
    let mut stages: Vec<Stage> = Vec::new();
    for (name, about, module) in &modules {
        let text = print::print(module);
        let drawn = match stages.last().filter(|last| last.text == text) {
            Some(same) => same.drawn.clone(),
            None => drawn(&Drawing::new(module, &options))?,
        };
        stages.push(Stage { name, about, text, drawn });
    }
    let listing = Jit::with_listing().build(&compiled.stages().lowered)?;
    let (text, picture) = (listing.listing().text().to_owned(), drawn(listing.listing().drawing())?);
    stages.push(Stage { name: "machine", about: "as Cranelift's IR, and in text as machine code", text, drawn: picture });
    // The first stage has other nodes throughout.
    let pairs = (2..modules.len()).flat_map(|to| (1..to).map(move |since| (since, to)));
    let changes = pairs.map(|(since, to)| Changes::new((since, &modules[since].2), (to, &modules[to].2))).collect();
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
