//! The order of the passes: rounds over the graph passes until nothing changes, saturation, and the rounds once more.

use crate::budget::Budget;
use crate::report::{Observer, PassReport, Report};
use crate::{
    Closures, Math, Options, batch, branches, chains, closures, contract, egraph, inline, number, params, ranges, tapes, tuples,
};
use gradus_ir::{GraphId, Kind, Module, Nest};
use std::time::Instant;

/// The passes by name, in the order in which they first run; `saturate` is equality saturation.
pub const PASSES: [&str; 12] = [
    "number", "branches", "inline", "params", "tuples", "tapes", "closures", "ranges", "batch", "chains", "saturate", "contract",
];

/// What a report counts where rules found two constants to be equal.
pub const CONTRADICTIONS: &str = "stopped: two constants are equal";

/// Simplifies a typed module. Panics if it has no entry. `settled` is of earlier calls for this module, however it changed since then.
pub fn simplify(m: &mut Module, options: &Options, settled: &mut egraph::Settled) -> Report {
    let entry = m.entry.expect("only a typed module can be simplified");
    let mut simplifier = Simplifier {
        m,
        entry,
        options,
        settled,
        nest: None,
        report: Report::default(),
        idle: Vec::new(),
        resting: Vec::new(),
        checked: 0,
    };
    simplifier.m.collect_garbage(&[entry]);
    let nest = Nest::new(simplifier.m, &[entry]);
    let mut budget = Budget::new(simplifier.m, &nest, options.growth, options.copies);
    simplifier.nest = Some(nest);
    simplifier.graph_passes(&mut budget);
    if options.saturate && simplifier.saturate() {
        simplifier.graph_passes(&mut budget);
    }
    if options.math == Math::Fast && is_last(simplifier.m) {
        simplifier.pass("contract", contract::run);
    }
    simplifier.report.copied = budget.copied;
    simplifier.report.at_limit = budget.is_exhausted;
    simplifier.report
}

/// Whether no derivative is left to take.
fn is_last(m: &Module) -> bool {
    !m.nodes().any(|(_, n)| matches!(n.kind, Kind::Prim(p) if p.is_operator()))
}

struct Simplifier<'a> {
    m: &'a mut Module,
    entry: GraphId,
    options: &'a Options,
    settled: &'a mut egraph::Settled,
    /// Of the module as it is, if the last pass left it alone.
    nest: Option<Nest>,
    report: Report,
    /// The passes that find nothing to do in the module as it is.
    idle: Vec<&'static str>,
    /// The passes that found nothing to do when they last ran.
    resting: Vec<&'static str>,
    /// How many passes had changed something when the module was verified last.
    checked: usize,
}

impl Simplifier<'_> {
    /// All graph passes, again and again until none changes anything. A pass that finds nothing rests until the others find nothing,
    /// too: in large modules most rounds are of two or three passes that give each other work.
    fn graph_passes(&mut self, budget: &mut Budget) {
        let options = self.options;
        let first = self.report.times.len();
        let is_last = is_last(self.m);
        self.resting.clear();
        for _ in 0..options.rounds {
            self.report.rounds += 1;
            let mut changed = self.round(budget, is_last);
            if !changed && !self.resting.is_empty() {
                self.resting.clear();
                changed = self.round(budget, is_last);
            }
            if !changed {
                // Only programs that nothing else changes: all ranges are found anew.
                changed = self.pass("ranges", ranges::run);
            }
            if !changed {
                // Only loops that nothing else changes: their bodies are known.
                changed = self.pass("batch", batch::run);
            }
            if !changed && options.closures == Closures::Tapes {
                // Only what the other passes leave of closures.
                changed = self.pass("chains", chains::run);
            }
            if !changed {
                break;
            }
        }
        self.check(first);
    }

    /// The graph passes that do not rest, once each. True if one changed something.
    fn round(&mut self, budget: &mut Budget, is_last: bool) -> bool {
        let options = self.options;
        let mut changed = self.pass("number", number::run);
        changed |= self.pass("branches", |m, nest, report| branches::run(m, nest, is_last, report));
        changed |= self.pass("inline", |m, nest, report| inline::run(m, nest, options, budget, report));
        changed |= self.pass("params", params::run);
        changed |= self.pass("tuples", tuples::run);
        changed |= self.pass("tapes", |m, nest, report| tapes::run(m, nest, options.recompute, report));
        if options.closures >= Closures::Tags {
            changed |= self.pass("closures", |m, nest, report| closures::run(m, nest, budget, report));
        }
        changed
    }

    /// The verifier after all rounds, in builds with debug assertions. Since the last one passes ran from `first` on.
    fn check(&mut self, first: usize) {
        let changes = self.report.passes.len();
        if cfg!(debug_assertions) && std::mem::replace(&mut self.checked, changes) < changes {
            let last = || self.report.times[first..].iter().map(|t| t.0).collect::<Vec<_>>();
            if let Err(errors) = gradus_ir::verify::verify(self.m) {
                panic!("one of {:?} broke the module:\n{errors}\n{}", last(), gradus_ir::print::print(self.m));
            }
        }
    }

    /// Equality saturation of every function. True if any became cheaper.
    fn saturate(&mut self) -> bool {
        let options = egraph::Options {
            rules: self.options.rules.clone(),
            math: self.options.math,
            last: is_last(self.m),
            ..egraph::Options::default()
        };
        let mut stats = egraph::Stats::default();
        let mut settled = std::mem::take(self.settled);
        self.pass("saturate", |m, _, report| {
            stats = egraph::saturate(m, &options, &mut settled);
            for (rule, &count) in &stats.fired {
                report.count(rule, count);
            }
            let [done, iterations, nodes] = stats.stops;
            let rows = [
                ("regions", stats.regions),
                ("regions settled before", stats.settled),
                ("regions improved", stats.improved),
                ("iterations", stats.iterations),
                ("e-nodes", stats.enodes.0),
                ("stopped: saturated", done),
                ("stopped: iterations", iterations),
                ("stopped: e-nodes", nodes),
                (CONTRADICTIONS, stats.contradictions),
            ];
            for (what, count) in rows {
                report.count(what, count);
            }
            report.fired = std::mem::take(&mut stats.fired);
        });
        *self.settled = settled;
        self.check(self.report.times.len().saturating_sub(1));
        stats.improved > 0
    }

    /// Runs one pass, unless it is idle or left out, sweeps up after it, and notes what it did, if anything.
    fn pass(&mut self, name: &'static str, run: impl FnOnce(&mut Module, &Nest, &mut PassReport)) -> bool {
        let is_over = self.report.passes.len() >= self.options.passes;
        if is_over || self.idle.contains(&name) || self.resting.contains(&name) || self.options.without.contains(&name) {
            return false;
        }
        let start = Instant::now();
        let mut report = PassReport { name, before: self.m.node_count(), ..PassReport::default() };
        let nest = self.nest.take().unwrap_or_else(|| Nest::new(self.m, &[self.entry]));
        let version = self.m.version();
        run(self.m, &nest, &mut report);
        let touched = self.m.version() != version;
        if touched {
            self.m.collect_garbage(&[self.entry]);
        }
        report.after = self.m.node_count();
        report.time = start.elapsed();
        self.report.times.push((name, report.time));
        let changed = report.changed();
        if changed {
            if let Some(Observer(show)) = &self.options.observer {
                show(self.m, &report);
            }
            self.report.passes.push(report);
            self.idle.clear();
        } else {
            debug_assert!(!touched || nest == Nest::new(self.m, &[self.entry]), "`{name}` does not say what it changed");
            self.nest = Some(nest);
            self.idle.push(name);
            self.resting.push(name);
        }
        changed
    }
}
