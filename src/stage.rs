//! A compiled program at the stages of its way, for people to look at.

use crate::engine::Compiled;
use crate::{Error, pipeline, svg};
use gradus_backend::jit::Jit;
use gradus_ir::Module;
use gradus_ir::drawing::{self, Drawing};
use std::borrow::Cow;
use std::fmt;

/// A stage on the way from a program to what runs. What comes before the first is [`Function::source`](crate::Function::source).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// After inference: specialised for the types of the arguments, derivatives asked for.
    Typed,
    /// With every derivative expanded, nothing simplified.
    Adjoint,
    /// Simplified.
    Optimised,
    /// What executors run.
    Lowered,
}

/// A program at a stage: its text by `Display` or `to_string`, and drawings of it.
///
/// ```
/// use gradus::{Engine, Source, Stage};
///
/// let square = Engine::default().parse(Source::new("square.py", "def square(x): return x * x"))?.function("square")?;
/// let compiled = square.grad::<f64>()?.compiled(0.0)?;
/// let stage = compiled.stage(Stage::Optimised)?;
/// assert!(stage.to_string().contains("add %x, %x"));
/// assert!(stage.to_dot().starts_with("digraph"));
/// # Ok::<(), gradus::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct View<'c> {
    module: Cow<'c, Module>,
}

impl Compiled {
    /// The program at a stage.
    pub fn stage(&self, stage: Stage) -> Result<View<'_>, Error> {
        let stages = self.stages();
        let module = match stage {
            Stage::Typed => Cow::Borrowed(&*stages.typed),
            Stage::Adjoint => Cow::Owned(pipeline::adjoint(stages, &self.options().plan)?),
            Stage::Optimised => Cow::Borrowed(&stages.optimised),
            Stage::Lowered => Cow::Borrowed(&stages.lowered),
        };
        Ok(View { module })
    }

    /// The machine code that the program becomes, and the Cranelift IR that it is made from, function by function.
    pub fn machine_code(&self) -> Result<String, Error> {
        Ok(Jit::with_listing().build(&self.stages().lowered)?.listing().text().to_owned())
    }
}

impl View<'_> {
    /// The module itself.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// In the DOT language of Graphviz: a cluster for each graph, with a legend.
    pub fn to_dot(&self) -> String {
        gradus_ir::dot::write(&self.drawing())
    }

    /// The same as a picture, without Graphviz.
    pub fn to_svg(&self) -> Result<String, Error> {
        svg::draw(&self.drawing())
    }

    fn drawing(&self) -> Drawing {
        Drawing::new(&self.module, &drawing::Options { legend: true, ..drawing::Options::default() })
    }
}

impl fmt::Display for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&gradus_ir::print::print(&self.module))
    }
}
