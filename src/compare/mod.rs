//! One derivative by several ways to compile it: what each costs, and whether they agree.
//!
//! ```
//! use gradus::compare::{Comparer, Effort, Way};
//! use gradus::{Engine, Options, Source, Strategy, Type};
//!
//! let source = "
//! def pow(x, n):
//!     r = 1.0
//!     for i in range(n):
//!         r = r * x
//!     return r
//! ";
//! let pow = Engine::default().parse(Source::new("pow.py", source))?.function("pow")?;
//! let ways = [Strategy::Closure, Strategy::Stack].map(|s| Way::gradient(vec![0], Options::new().strategy(s)));
//! let comparer = Comparer::new(&pow, &[Type::F64, Type::I64], &ways)?;
//! let comparison = comparer.compare(&[1.01.into(), 100_i64.into()], &Effort { seconds: 0.01, ..Effort::default() })?;
//!
//! let stack = comparison.rows[1].run.as_ref().map_err(Clone::clone)?;
//! assert_eq!((stack.usage.records, stack.usage.tape_bytes), (100, 800));
//! assert_eq!(comparison.rows[1].difference, Some(0.0));
//! # Ok::<(), gradus::Error>(())
//! ```

mod call;
mod clock;
mod difference;
mod measure;
mod statistics;
mod sweep;
mod turns;

pub mod units;

pub use call::{call_text, csv_field, find_argument};
pub use clock::Clock;
pub use difference::difference;
pub use measure::{Effort, Run};
pub use statistics::{Estimate, geometric_mean, median, outliers, quartiles, ratio, typical};
pub use sweep::{Growth, Sweep, number};
pub use turns::{Timed, Turns};

use crate::{Compiled, Error, Function, Mode, Options, Request, Strategy};
use gradus_ir::{Type, Value};
use std::sync::Arc;

/// A way to compile a derivative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// What is asked of the function. All that are compared must ask for the same derivatives.
    pub request: Request,
    /// How it is compiled: the strategies of reverse mode, and all else that can be chosen.
    pub options: Options,
}

impl Way {
    /// The gradient with respect to some arguments.
    pub fn gradient(wrt: Vec<usize>, options: Options) -> Way {
        Way { request: Request::Gradient(wrt), options }
    }

    /// The strategies by name, the innermost derivative's first; `forward` where there is no reverse mode.
    pub fn strategy(&self) -> String {
        match &self.options.plan.orders[..] {
            _ if self.request.is_forward() => Mode::Forward.name().into(),
            [] => Strategy::Auto.name().into(),
            orders => orders.iter().map(|s| s.name()).collect::<Vec<_>>().join(","),
        }
    }

    /// Whether the ways differ at most in what the simplifier is told: what becomes of closures, what is computed again, which
    /// rewrites and passes there are.
    fn is_variant_of(&self, other: &Way) -> bool {
        let told = &other.options;
        let options = Options {
            closures: told.closures,
            recompute: told.recompute,
            math: told.math,
            without: told.without.clone(),
            ..self.options.clone()
        };
        options == other.options && self.request == other.request
    }
}

/// A function compiled in several ways, ready to be compared on arguments of the types that it was compiled for.
#[derive(Clone, Debug)]
pub struct Comparer {
    value: Arc<Compiled>,
    ways: Vec<(Way, Arc<Compiled>)>,
    /// The texts of their programs, by which the same are known.
    programs: Vec<String>,
    /// The ways that are left out, each with the way that makes the same program.
    pub same: Vec<(Way, Way)>,
}

impl Comparer {
    /// Compiles the function itself and each of the ways, in this order, see [`Comparer::add`].
    pub fn new(function: &Function, types: &[Type], ways: &[Way]) -> Result<Comparer, Error> {
        let value = compile(function, function.options(), types, &Request::Value)?;
        let mut comparer = Comparer { value, ways: Vec::new(), programs: Vec::new(), same: Vec::new() };
        for way in ways {
            comparer.add(function, types, way)?;
        }
        Ok(comparer)
    }

    /// Compiles one more way. If it makes the same program as one before it, a way by `auto` is left out, and so is one that differs
    /// from that one in what the simplifier is told alone: which steps, budgets, rewrites and passes. Gives the number of the way, or of
    /// that one.
    pub fn add(&mut self, function: &Function, types: &[Type], way: &Way) -> Result<usize, Error> {
        let compiled = compile(function, &way.options, types, &way.request)?;
        let program = gradus_ir::print::print(&compiled.stages().lowered);
        let is_left_out = |known: &Way| way.options.plan.is_auto() || way.is_variant_of(known);
        let known = self.ways.iter().zip(&self.programs).position(|((known, _), p)| *p == program && is_left_out(known));
        let at = known.unwrap_or(self.ways.len());
        match known {
            Some(i) => self.same.push((way.clone(), self.ways[i].0.clone())),
            None => {
                self.programs.push(program);
                self.ways.push((way.clone(), compiled));
            }
        }
        Ok(at)
    }

    /// The ways that are compared, each with what was compiled.
    pub fn ways(&self) -> &[(Way, Arc<Compiled>)] {
        &self.ways
    }

    /// The function itself.
    pub fn value(&self) -> &Compiled {
        &self.value
    }

    /// Runs all in turns on the arguments, after which come what the requests take beside them. That the function itself fails is an error; that
    /// a derivative fails, by its memory say, is part of the comparison.
    pub fn compare(&self, args: &[Value], effort: &Effort) -> Result<Comparison, Error> {
        let itself = (&*self.value, &args[..self.value.parameter_count()]);
        let programs: Vec<_> = std::iter::once(itself).chain(self.ways.iter().map(|(_, compiled)| (&**compiled, args))).collect();
        let mut runs = measure::measure(&programs, effort)?.into_iter();
        let value = runs.next().expect("a run of the function itself")?;
        let mut rows: Vec<Row> = Vec::with_capacity(self.ways.len());
        for run in runs {
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
    pub fn ratio(&self, row: usize) -> Option<Estimate> {
        self.rows[row].run.as_ref().ok().map(|run| ratio(&run.times, &self.value.times))
    }
}
