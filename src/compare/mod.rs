//! One derivative by several ways to compile it: what each costs, and whether they agree.
//!
//! ```
//! use gradus::compare::{Comparer, Effort, Way};
//! use gradus::{Engine, Simplify, Source, Strategy, Type};
//!
//! let source = "
//! def pow(x, n):
//!     r = 1.0
//!     for i in range(n):
//!         r = r * x
//!     return r
//! ";
//! let pow = Engine::default().parse(Source::new("pow.py", source))?.function("pow")?;
//! let ways = [Strategy::Closure, Strategy::Stack].map(|s| Way::gradient(vec![0], s.into(), Simplify::Interleaved));
//! let comparer = Comparer::new(&pow, &[Type::F64, Type::I64], &ways)?;
//! let comparison = comparer.compare(&[1.01.into(), 100_i64.into()], &Effort { seconds: 0.01, runs: 5 })?;
//!
//! let stack = comparison.rows[1].run.as_ref().map_err(Clone::clone)?;
//! assert_eq!((stack.usage.records, stack.usage.tape_bytes), (100, 800));
//! assert_eq!(comparison.rows[1].difference, Some(0.0));
//! # Ok::<(), gradus::Error>(())
//! ```

mod difference;
mod measure;
mod sweep;
mod turns;

pub mod units;

pub use difference::difference;
pub use measure::{Effort, Run, median};
pub use sweep::{Growth, Sweep, number};
pub use turns::{Timed, Turns};

use crate::{Closures, Compiled, Error, Function, Mode, Options, Plan, Request, Simplify, Strategy};
use gradus_ir::{Type, Value};
use std::sync::Arc;

/// A way to compile a derivative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// What is asked of the function. All that are compared must ask for the same derivatives.
    pub request: Request,
    /// The strategies of reverse mode.
    pub plan: Plan,
    /// When the simplifier runs.
    pub simplify: Simplify,
    /// What becomes of closures.
    pub closures: Closures,
}

impl Way {
    /// The gradient with respect to some arguments.
    pub fn gradient(wrt: Vec<usize>, plan: Plan, simplify: Simplify) -> Way {
        Way { request: Request::Gradient(wrt), plan, simplify, closures: Closures::default() }
    }

    /// The strategies by name, the innermost derivative's first; `forward` where there is no reverse mode.
    pub fn strategy(&self) -> String {
        match &self.plan.orders[..] {
            _ if self.request.is_forward() => Mode::Forward.name().into(),
            [] => Strategy::Auto.name().into(),
            orders => orders.iter().map(|s| s.name()).collect::<Vec<_>>().join(","),
        }
    }
}

/// A function compiled in several ways, ready to be compared on arguments of the types that it was compiled for.
#[derive(Clone, Debug)]
pub struct Comparer {
    value: Arc<Compiled>,
    ways: Vec<(Way, Arc<Compiled>)>,
    /// The ways that are left out, each with the way that makes the same program.
    pub same: Vec<(Way, Way)>,
}

impl Comparer {
    /// Compiles the function itself and each of the ways, in this order. A way by `auto`, or one that differs in what becomes of
    /// closures alone, is left out if it makes the same program as one before it.
    pub fn new(function: &Function, types: &[Type], ways: &[Way]) -> Result<Comparer, Error> {
        let value = compile(function, function.options(), types, &Request::Value)?;
        let mut comparer = Comparer { value, ways: Vec::new(), same: Vec::new() };
        let mut programs: Vec<String> = Vec::new();
        for way in ways {
            let options =
                Options { plan: way.plan.clone(), simplify: way.simplify, closures: way.closures, ..function.options().clone() };
            let compiled = compile(function, &options, types, &way.request)?;
            let program = gradus_ir::print::print(&compiled.stages().lowered);
            let is_step = |i: usize| Way { closures: way.closures, ..comparer.ways[i].0.clone() } == *way;
            match programs.iter().position(|p| *p == program).filter(|&i| way.plan.is_auto() || is_step(i)) {
                Some(known) => comparer.same.push((way.clone(), comparer.ways[known].0.clone())),
                None => {
                    programs.push(program);
                    comparer.ways.push((way.clone(), compiled));
                }
            }
        }
        Ok(comparer)
    }

    /// The ways that are compared, each with what was compiled.
    pub fn ways(&self) -> &[(Way, Arc<Compiled>)] {
        &self.ways
    }

    /// The function itself.
    pub fn value(&self) -> &Compiled {
        &self.value
    }

    /// Runs all on the arguments, after which come what the requests take beside them. That the function itself fails is an error; that
    /// a derivative fails, by its memory say, is part of the comparison.
    pub fn compare(&self, args: &[Value], effort: &Effort) -> Result<Comparison, Error> {
        let count = self.value.parameter_count();
        let value = measure::measure(&self.value, &args[..count], effort)?;
        let mut rows: Vec<Row> = Vec::with_capacity(self.ways.len());
        for (_, compiled) in &self.ways {
            let run = measure::measure(compiled, args, effort);
            let first = rows.iter().find_map(|row| row.run.as_ref().ok());
            let difference = run.as_ref().ok().map(|run| first.map_or(0.0, |first| difference(&first.answer, &run.answer)));
            rows.push(Row { run, difference });
        }
        Ok(Comparison { value, rows })
    }
}

/// Compiles several times, unless that takes long, and gives the result that took the least time.
fn compile(function: &Function, options: &Options, types: &[Type], request: &Request) -> Result<Arc<Compiled>, Error> {
    const TRIES: usize = 3;
    const SECONDS: f64 = 0.1;
    let total = |c: &Compiled| c.report().seconds().iter().map(|(_, s)| s).sum::<f64>();
    let mut fastest = function.with(options.clone()).compile(types, request)?;
    let mut spent = total(&fastest);
    for _ in 1..TRIES {
        if spent > SECONDS {
            break;
        }
        let next = function.with(options.clone()).compile(types, request)?;
        spent += total(&next);
        if total(&next) < total(&fastest) {
            fastest = next;
        }
    }
    Ok(fastest)
}

/// What some ways to a derivative cost on one list of arguments.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The function itself, simplified.
    pub value: Run,
    /// One row for each of [`Comparer::ways`].
    pub rows: Vec<Row>,
}

/// A way's part in a comparison.
#[derive(Clone, Debug)]
pub struct Row {
    /// What runs of it took, or how it failed.
    pub run: Result<Run, Error>,
    /// How far its answer is from that of the first row that has one, see [`difference()`].
    pub difference: Option<f64>,
}

impl Comparison {
    /// The time of a row's run by that of the function itself.
    pub fn ratio(&self, row: usize) -> Option<f64> {
        self.rows[row].run.as_ref().ok().map(|run| run.seconds / self.value.seconds)
    }
}
