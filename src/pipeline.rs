//! The one place where the order of passes is written.
//!
//! ```text
//! source ─ infer ─→ typed ─┬─ simplify ─ expand the innermost J ─┐
//!                          └──────────── until no J of a known function is left ─→ optimised
//! optimised ─ derivatives for run time, where a J of an unknown function is left ─ simplify ─→ lowered
//! ```

use crate::{Error, Options, Simplify};
use gradus_ir::{Diagnostic, GraphId, Module, Type};
use std::time::{Duration, Instant};

/// A program on its way from the source to what executors run.
#[derive(Clone, Debug)]
pub struct Stages {
    /// After inference: typed, specialised, `J` in it.
    pub typed: Module,
    /// Every `J` expanded, nothing simplified.
    pub adjoint: Option<Module>,
    /// Simplified, the `J`s of known functions expanded.
    pub optimised: Module,
    /// What executors run.
    pub lowered: Module,
    /// What the passes did.
    pub report: Report,
}

/// What the pipeline did, pass by pass.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Name and duration of each pass, in order.
    pub passes: Vec<(&'static str, Duration)>,
    /// Nodes after inference, and in what executors run.
    pub nodes: (usize, usize),
    /// Derivatives that were expanded.
    pub expanded: usize,
    /// What the simplifier did.
    pub simplifier: gradus_opt::Report,
}

impl Report {
    fn time<T>(&mut self, name: &'static str, pass: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = pass();
        self.passes.push((name, start.elapsed()));
        result
    }
}

/// Runs all passes on an untyped module, for calls of `entry` with arguments of the given types.
pub fn compile(source: &Module, entry: GraphId, args: &[Type], options: &Options) -> Result<Stages, Error> {
    let mut report = Report::default();
    let typed = report.time("infer", || gradus_ir::infer::infer(source, entry, args)).map_err(Error::Refused)?;
    check(&typed, "infer");
    report.nodes.0 = typed.node_count();
    let mut m = typed.clone();
    let adjoint = match options.simplify {
        Simplify::Interleaved => None,
        Simplify::Off | Simplify::AtEnd => {
            while expand(&mut m, &mut report)? {}
            Some(m.clone())
        }
    };
    if options.simplify != Simplify::Off {
        loop {
            simplify(&mut m, options, &mut report);
            if !expand(&mut m, &mut report)? {
                break;
            }
        }
    }
    let optimised = m.clone();
    report.time("expand unknown", || gradus_ad::expand_unknown(&mut m));
    check(&m, "expand unknown");
    if options.simplify != Simplify::Off && !m.derivatives.is_empty() {
        simplify(&mut m, options, &mut report);
    }
    report.nodes.1 = m.node_count();
    Ok(Stages { typed, adjoint, optimised, lowered: m, report })
}

/// The module after inference with every `J` expanded and nothing simplified.
pub fn adjoint(stages: &Stages) -> Result<Module, Error> {
    if let Some(m) = &stages.adjoint {
        return Ok(m.clone());
    }
    let mut m = stages.typed.clone();
    let mut report = Report::default();
    while expand(&mut m, &mut report)? {}
    Ok(m)
}

fn expand(m: &mut Module, report: &mut Report) -> Result<bool, Error> {
    let count = report.time("expand", || gradus_ad::expand(m)).map_err(|e| {
        let gradus_ad::AdError::Unbounded { span, .. } = &e;
        Error::Refused(vec![Diagnostic::refused(*span, e.to_string())])
    })?;
    check(m, "expand");
    report.expanded += count;
    Ok(count > 0)
}

fn simplify(m: &mut Module, options: &Options, report: &mut Report) {
    let done = report.time("simplify", || gradus_opt::simplify(m, &options.opt()));
    check(m, "simplify");
    report.simplifier.extend(done);
}

/// The verifier after every pass, in builds with debug assertions.
fn check(m: &Module, pass: &str) {
    if cfg!(debug_assertions)
        && let Err(e) = gradus_ir::verify::verify(m)
    {
        panic!("after {pass}:\n{e}\n{}", gradus_ir::print::print(m));
    }
}
