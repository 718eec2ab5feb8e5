//! The one place where the order of passes is written.
//!
//! ```text
//! source ─ infer ─→ typed ─┬─ simplify ─ expand the innermost J ─┐
//!                          └──────────── until no J of a known function is left ─→ optimised
//! optimised ─ derivatives for run time, where a J of an unknown function is left ─ simplify ─→ lowered
//!
//! When no derivative is left to take, what derivatives alone see (rules, barriers) becomes what it stands for, and is simplified.
//!
//! --no-interleave:  typed ─ expand every J, derivatives for run time ─→ adjoint ─ simplify ─→ optimised
//! --no-simplify:    the same up to adjoint, and no further
//! ```

use crate::inspect::{Inspect, Run};
use crate::shared::Common;
use crate::{Closures, Error, Math, ModeDecision, Options, Simplify};
use gradus_ad::{AdError, Decision, Plan, RunAgain};
use gradus_ir::entries::{self, Entries};
use gradus_ir::infer::Known;
use gradus_ir::{Diagnostic, Dims, GraphId, Module, Span, Type, stack};
use gradus_opt::PassReport;
use gradus_opt::egraph::Settled;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// When expansion and simplification stop to take turns: once the simplifier was given so many nodes in all, per node of the typed
/// program and besides. Inlining makes functions known in whose derivatives the next inlining makes functions known. That may go on
/// for long, or without end where the simplifier copies functions; what is unknown when it stops is found at run time.
const WORK: [usize; 2] = [1000, 100_000];

/// How many nodes the simplifier may copy, all its turns together: per node of the typed program and of the derivatives that were made of
/// it, and besides. In proportion to what a turn finds it would be 9 times as much with each, where copies make known of which function
/// the derivative is asked for; and a program of thousands of nodes would become one of hundreds of thousands.
const COPIES: [usize; 2] = [2, 15_000];

/// A program on its way from the source to what executors run.
#[derive(Clone, Debug)]
pub struct Stages {
    /// After inference: typed, specialised, `J` in it.
    pub typed: Arc<Module>,
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
    /// Name and duration of each pass, those of the simplifier one by one, in order.
    pub passes: Vec<(&'static str, Duration)>,
    /// Nodes after inference, and in what executors run.
    pub nodes: (usize, usize),
    /// Orders of derivatives that were expanded, one inside of the other.
    pub orders: usize,
    /// Derivatives that were expanded.
    pub expanded: usize,
    /// Nodes that expansion made.
    pub emitted: usize,
    /// The mode of the gradient that was asked for, where that was ours to choose.
    pub mode: Option<ModeDecision>,
    /// Which strategy differentiated which function, and why.
    pub decisions: Vec<Decision>,
    /// The loops that are run again from a few of their states, in the order of the expansions.
    pub again: Vec<RunAgain>,
    /// The derivative for which nothing is traced, though that was asked for: it cannot be, and it may take another derivative for its own.
    pub untraced: Option<Span>,
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

    /// A step of the compilation, if it changes something.
    fn step<T>(&mut self, name: &'static str, m: &mut Module, run: &Run, pass: impl FnOnce(&mut Module) -> T) -> T {
        let (version, before) = (m.version(), m.node_count());
        let result = self.time(name, || pass(m));
        if m.version() != version {
            let time = self.passes.last().map_or(Duration::ZERO, |&(_, time)| time);
            run.step(m, &PassReport { name, before, after: m.node_count(), time, ..PassReport::default() });
        }
        result
    }

    /// How long each pass took, all its runs together, in seconds and in the order of first runs.
    pub fn seconds(&self) -> Vec<(&'static str, f64)> {
        self.seconds_by(|pass| pass)
    }

    /// [`Report::seconds`] with the graph passes of the simplifier as one.
    pub fn seconds_by_part(&self) -> Vec<(&'static str, f64)> {
        let in_simplifier = |pass| self.simplifier.times.iter().any(|&(name, _)| name == pass);
        self.seconds_by(|pass| if pass != "saturate" && in_simplifier(pass) { "graph passes" } else { pass })
    }

    fn seconds_by(&self, part: impl Fn(&'static str) -> &'static str) -> Vec<(&'static str, f64)> {
        let mut passes: Vec<(&'static str, f64)> = Vec::new();
        for &(name, time) in &self.passes {
            let name = part(name);
            match passes.iter_mut().find(|(known, _)| *known == name) {
                Some((_, seconds)) => *seconds += time.as_secs_f64(),
                None => passes.push((name, time.as_secs_f64())),
            }
        }
        passes
    }

    /// Takes down what an expansion did, if it did anything.
    fn expand(&mut self, done: gradus_ad::Expanded) -> bool {
        self.expanded += done.count;
        self.orders = self.orders.max(done.orders);
        self.emitted += done.nodes;
        for decision in done.decisions {
            if !self.decisions.contains(&decision) {
                self.decisions.push(decision);
            }
        }
        self.again.extend(done.again);
        done.count > 0
    }

    /// The nodes that the simplifier may still copy.
    fn copies(&self) -> usize {
        COPIES[0] * (self.nodes.0 + self.emitted) + COPIES[1] - self.simplifier.copied
    }

    /// The strategies that reverse mode used, by name.
    pub fn strategies(&self) -> Vec<&'static str> {
        let mut used: Vec<&'static str> = self.decisions.iter().map(|d| d.strategy.name()).collect();
        used.sort_unstable();
        used.dedup();
        used
    }
}

/// A program after inference: typed, specialised, `J` in it.
#[derive(Debug)]
pub struct Typed {
    module: Arc<Module>,
    /// How long inference took.
    time: Duration,
    common: Common,
}

impl Typed {
    /// The steps that its compilations share, where the options ask for that and nobody watches the steps.
    pub(crate) fn common(&self, options: &Options) -> Option<&Common> {
        (options.share && options.passes == usize::MAX && options.inspect == Inspect::default()).then_some(&self.common)
    }

    /// The module.
    pub fn module(&self) -> &Module {
        &self.module
    }
}

/// Infers an untyped module, for calls of `entry` with arguments of the given types, and of the given values where shapes depend on
/// them. `then` is done to the module at the end.
pub fn infer(
    source: &Module,
    entry: GraphId,
    args: &[Type],
    values: &[Known],
    then: impl FnOnce(&mut Module),
) -> Result<Typed, Error> {
    stack::deep(|| {
        let start = Instant::now();
        let mut entries = Entries::default();
        let mut typed = loop {
            let mut typed = gradus_ir::infer::infer_for(source, entry, args, values, &entries).map_err(Error::Refused)?;
            gradus_ad::smooth_squares(&mut typed);
            let asked = entries::all_asked(&typed);
            if asked.is_empty() {
                break typed;
            }
            find_entries(checked(typed)?, asked, &mut entries)?;
        };
        let time = start.elapsed();
        then(&mut typed);
        checked(typed).map(|module| Typed { module, time, common: Common::default() })
    })
}

/// What the executors rely on, whatever the program: a value of another type than it is said to be would be read as if it were one.
fn checked(mut typed: Module) -> Result<Arc<Module>, Error> {
    gradus_ir::verify::verify(&typed).map_err(|e| Error::Internal(format!("after infer:\n{e}")))?;
    typed.regular = gradus_ad::is_regular(&typed);
    Ok(Arc::new(typed))
}

/// Finds the entries of sparse matrices, which are part of types, in the optimised program.
fn find_entries(typed: Arc<Module>, asked: Vec<Dims>, entries: &mut Entries) -> Result<(), Error> {
    let stages = lower(typed, Report::default(), &Options::default(), None)?;
    let mut found = gradus_opt::found_entries(&stages.optimised);
    for table in asked {
        // Of what nobody needs it may be known how much it is.
        let places = found.remove(&table).unwrap_or_else(|| gradus_opt::all_places(entries::shape_of(table)));
        let Some(places) = places else {
            let (span, shape) = (entries::span_of(table), entries::shape_of(table));
            let message = format!("no entry of this matrix of {} × {} was found to be zero", shape[0], shape[1]);
            let d = Diagnostic::refused(span, message).hint("it is too large to hold all of them: take `jvp`, `vjp` or `hvp`");
            return Err(Error::Refused(vec![d]));
        };
        entries.insert(table, places);
    }
    Ok(())
}

/// Runs all passes after inference.
pub fn compile(typed: &Typed, options: &Options) -> Result<Stages, Error> {
    let report = Report { passes: vec![("infer", typed.time)], ..Report::default() };
    stack::deep(|| lower(typed.module.clone(), report, options, typed.common(options)))
}

/// Runs all passes after inference once more, under other options.
pub fn again(stages: &Stages, options: &Options) -> Result<Stages, Error> {
    stack::deep(|| lower(stages.typed.clone(), Report::default(), options, None))
}

/// Runs all passes after inference. Where a derivative cannot be traced, nothing is.
fn lower(typed: Arc<Module>, report: Report, options: &Options, common: Option<&Common>) -> Result<Stages, Error> {
    let run = Run::new(&typed, &options.inspect);
    let after = typed.node_count();
    let time = report.passes.first().map_or(Duration::ZERO, |&(_, time)| time);
    run.step(&typed, &PassReport { name: "infer", after, time, ..PassReport::default() });
    let simplifier = Simplifier { run: &run, common };
    let lowered = match lower_once(typed.clone(), report.clone(), options, simplifier) {
        Err(AdError::Traced { span }) => {
            let untraced = Options { plan: options.plan.untraced(), ..options.clone() };
            lower_once(typed, Report { untraced: Some(span), ..report }, &untraced, simplifier)
        }
        lowered => lowered,
    };
    run.finish()?;
    lowered.map_err(refused)
}

fn lower_once(typed: Arc<Module>, mut report: Report, options: &Options, simplifier: Simplifier) -> Result<Stages, AdError> {
    let run = simplifier.run;
    report.nodes.0 = typed.node_count();
    let when = if options.trap_nan { Simplify::Off } else { options.simplify };
    let mut m = Module::clone(&typed);
    let mut adjoint = None;
    if when != Simplify::Interleaved {
        let (mut all, mut known) = (std::mem::take(&mut m), report.clone());
        let expand = || expand_all(&mut all, &options.plan, &mut known, run).map(|()| (all, known));
        let untraced = report.untraced;
        (m, report) = match simplifier.common {
            Some(common) => common.expand(&options.plan, expand)?,
            None => expand()?,
        };
        report.untraced = untraced;
        adjoint = Some(m.clone());
    }
    let mut optimised = None;
    if when != Simplify::Off {
        let mut work = WORK[0] * typed.node_count() + WORK[1];
        // Where derivatives come first, graphs are saturated once no call that became known is left to be differentiated.
        let at_once = when == Simplify::Interleaved;
        let mut saturate = at_once;
        let mut settled = Settled::default();
        loop {
            work = work.saturating_sub(m.node_count());
            simplify(&mut m, options, (saturate, &mut settled), &mut report, simplifier);
            if work == 0 {
                expand_all(&mut m, &options.plan, &mut report, run)?;
                break;
            }
            if expand(&mut m, &options.plan, &mut report, run)? || report.step("veils", &mut m, run, gradus_opt::lift_veils) {
                saturate = at_once;
                continue;
            }
            if !saturate {
                saturate = true;
                continue;
            }
            if options.math == Math::Fast || early_closures(&m, options) != options.closures {
                simplify_last(&mut m, options, &mut settled, &mut report, simplifier);
            }
            optimised.get_or_insert_with(|| m.clone());
            if !expand_unknown(&mut m, &options.plan, &mut report, run)? {
                break;
            }
        }
    }
    report.step("veils", &mut m, run, gradus_opt::lift_all_veils);
    if options.trap_nan {
        report.step("watch", &mut m, run, gradus_opt::watch);
    }
    if when != Simplify::Off {
        report.step("sink", &mut m, run, |m| (gradus_opt::sink_broadcasts(m), gradus_opt::plain_indices(m)));
    }
    check(&m, "lowering");
    report.nodes.1 = m.node_count();
    Ok(Stages { typed, adjoint, optimised: optimised.unwrap_or_else(|| m.clone()), lowered: m, report })
}

/// The module after inference with every `J` expanded and nothing simplified.
pub fn adjoint(stages: &Stages, plan: &Plan) -> Result<Module, Error> {
    if let Some(m) = &stages.adjoint {
        return Ok(m.clone());
    }
    let expanded = |plan: &Plan| {
        let mut m = Module::clone(&stages.typed);
        let run = Run::new(&m, &Inspect::default());
        stack::deep(|| expand_all(&mut m, plan, &mut Report::default(), &run)).map(|()| m)
    };
    match expanded(plan) {
        Err(AdError::Traced { .. }) => expanded(&plan.untraced()),
        m => m,
    }
    .map_err(refused)
}

fn expand_all(m: &mut Module, plan: &Plan, report: &mut Report, run: &Run) -> Result<(), AdError> {
    while expand(m, plan, report, run)? {}
    expand_unknown(m, plan, report, run)?;
    Ok(())
}

fn expand(m: &mut Module, plan: &Plan, report: &mut Report, run: &Run) -> Result<bool, AdError> {
    let done = report.step("expand", m, run, |m| gradus_ad::expand(m, plan))?;
    let has_expanded = report.expand(done);
    if has_expanded {
        check(m, "expand");
    }
    Ok(has_expanded)
}

fn expand_unknown(m: &mut Module, plan: &Plan, report: &mut Report, run: &Run) -> Result<bool, AdError> {
    let done = report.step("expand unknown", m, run, |m| gradus_ad::expand_unknown(m, plan))?;
    let has_expanded = report.expand(done);
    if has_expanded {
        check(m, "expand unknown");
    }
    Ok(has_expanded)
}

fn refused(e: AdError) -> Error {
    let (AdError::Unbounded { span, .. } | AdError::Series { span } | AdError::Traced { span }) = &e;
    Error::Refused(vec![Diagnostic::refused(*span, e.to_string())])
}

/// The step that closures take before the last derivative. Chains do not wait for it, as the derivative of tapes is smaller than that of
/// closures, unless there are boxes: the derivative of a closure, and that of the function which made it and may have been taken
/// before, must lay out alike the box of what it captures.
fn early_closures(m: &Module, options: &Options) -> Closures {
    if gradus_opt::has_boxes(m) { options.closures.min(Closures::Tags) } else { options.closures }
}

/// How a compilation calls the simplifier.
#[derive(Clone, Copy)]
struct Simplifier<'a> {
    run: &'a Arc<Run>,
    common: Option<&'a Common>,
}

impl Simplifier<'_> {
    fn call(self, m: &mut Module, options: gradus_opt::Options, passes: usize, settled: &mut Settled, report: &mut Report) {
        let options = gradus_opt::Options {
            copies: report.copies(),
            // The steps that are left.
            passes: passes.saturating_add(1).saturating_sub(self.run.steps()),
            observer: Some(self.run.observer()),
            ..options
        };
        let done = match self.common {
            Some(common) => common.simplify(m, &options, settled),
            None => gradus_opt::simplify(m, &options, settled),
        };
        report.passes.extend(&done.times);
        report.simplifier.extend(done);
    }
}

/// Simplifies what may be differentiated once more.
fn simplify(
    m: &mut Module,
    options: &Options,
    (saturate, settled): (bool, &mut Settled),
    report: &mut Report,
    simplifier: Simplifier,
) {
    // What holds over the reals alone waits for the last derivative: products that were multiplied out, or sums with other partners,
    // have larger derivatives.
    let defaults = gradus_opt::Options::default();
    let early = gradus_opt::Options {
        math: Math::Exact,
        closures: early_closures(m, options),
        saturate,
        // One round finds most of the calls that are left to be differentiated.
        rounds: if saturate { defaults.rounds } else { 1 },
        ..options.simplifier()
    };
    simplifier.call(m, early, options.passes, settled, report);
}

/// Simplifies what is run.
fn simplify_last(m: &mut Module, options: &Options, settled: &mut Settled, report: &mut Report, simplifier: Simplifier) {
    simplifier.call(m, options.simplifier(), options.passes, settled, report);
}

/// The verifier after every pass, in builds with debug assertions; the simplifier calls it for its own.
fn check(m: &Module, pass: &str) {
    if cfg!(debug_assertions)
        && let Err(e) = gradus_ir::verify::verify(m)
    {
        panic!("after {pass}:\n{e}\n{}", gradus_ir::print::print(m));
    }
}
