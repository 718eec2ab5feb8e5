//! `gradus compare`: one derivative by every strategy and order of simplification, in one table.

mod figures;
mod plot;
mod report;
mod table;

use super::{Asked, Differentiate, Question, StrategyFlag};
use clap::Args;
use gradus::compare::{Comparer, Comparison, Effort, Sweep, Way, call_text, find_argument};
use gradus::{Backend, Closures, Compiled, Error, Mode, Options, Program, Simplify, Strategy, Type, Value};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Args, Debug)]
pub struct Compare {
    #[command(flatten)]
    pub differentiate: Differentiate,
    /// Compare at each of these values of an argument, which is said by its name or number.
    #[arg(long, value_name = "ARG=V,…")]
    sweep: Option<String>,
    /// Draw time and memory over the values of the sweep.
    #[arg(long, value_name = "FILE.svg", requires = "sweep")]
    plot: Option<PathBuf>,
    /// Print comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Compare with `--strategy trace`, too.
    #[arg(long)]
    traced: bool,
    /// Say also which strategy was chosen for which function, and why.
    #[arg(long)]
    explain: bool,
    /// Say how long an operation on arrays takes, on average: with small arrays, what it costs beside the work on elements.
    #[arg(long, conflicts_with_all = ["json", "csv", "sweep"])]
    overhead: bool,
    /// How long to run each program at least.
    #[arg(long, value_name = "SECONDS", default_value = "0.2")]
    seconds: f64,
}

/// What was compared, for those who print it.
struct Compared {
    /// The file, and the call as the user wrote it.
    file: String,
    call: String,
    backend: &'static str,
    comparer: Comparer,
    result: Measured,
}

enum Measured {
    One(Comparison),
    Over(Swept, Sweep),
}

/// The argument that is swept.
struct Swept {
    name: String,
    index: usize,
    values: Vec<Value>,
}

/// Compares.
pub fn compare(program: &Program, flags: &Compare) -> Result<String, Error> {
    let Differentiate { call, .. } = &flags.differentiate;
    let q = Question::of_derivative(program, &flags.differentiate)?;
    let swept = flags.sweep.as_deref().map(|text| Swept::read(text, &q)).transpose()?;
    if !(flags.seconds >= 0.0 && flags.seconds.is_finite()) {
        return Err(Error::Arguments("--seconds is a number, 0 or more".into()));
    }
    let (mut ways, seed) = ways(&q, flags)?;
    // Not simplified, a program may need what XLA lacks.
    if ways.iter().any(|way| has_stablehlo(&q, way)) {
        ways.retain(|way| has_stablehlo(&q, way));
    }
    // A program that is compiled for one value of an argument is not the one that takes them all.
    let function = if swept.is_some() { q.function.for_arguments::<f64>(&[]) } else { q.function.with(call.with_plugin()?) };
    let simplified = function.with(Options { simplify: Simplify::Interleaved, ..call.with_plugin()? });
    let comparer = Comparer::new(&simplified, &q.types, &ways).map_err(|e| q.with_hint(e, seed.is_some()))?;
    q.print_once()?;
    let args: Vec<Value> = q.values.iter().cloned().chain(seed).collect();
    let effort = Effort { seconds: flags.seconds, ..Effort::default() };
    let written = call_text(&call.function, &q.values, swept.as_ref().map(|s| (s.index, &*s.name)));
    let result = match swept {
        None => Measured::One(comparer.compare(&args, &effort)?),
        Some(swept) => {
            let sweep = comparer.sweep(&args, swept.index, &swept.values, &effort)?;
            if let Some(path) = &flags.plot {
                plot::draw(path, &written, &swept.name, &comparer, &sweep)?;
            }
            Measured::Over(swept, sweep)
        }
    };
    let file = call.file.display().to_string();
    let compared = Compared { file, call: written, backend: Backend::from(call.backend).name(), comparer, result };
    Ok(match (call.json, flags.csv) {
        (true, _) => figures::json(&compared, program.source()),
        (_, true) => figures::csv(&compared),
        _ => report::text(&compared, program.source(), flags.explain, flags.overhead),
    })
}

/// Whether a way is not one of XLA, or the program has StableHLO by it.
fn has_stablehlo(q: &Question, way: &Way) -> bool {
    let plain = Options { backend: Backend::Interp, ..way.options.clone() };
    let exports = |compiled: Arc<Compiled>| compiled.stablehlo(&way.options.sharding, 1).is_ok();
    way.options.backend != Backend::Xla || q.function.with(plain).compile(&q.types, &way.request).is_ok_and(exports)
}

/// The name of a way: its strategies, what closures are if not tapes, and forward mode where the compiler chose that.
fn name(way: &Way, compiled: &Compiled) -> String {
    let mode = compiled.report().mode.as_ref().map(|decision| decision.mode);
    let mode = mode.filter(|&mode| mode == Mode::Forward).map(Mode::name);
    [Some(step(way)), mode.map(str::to_owned)].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The strategies of a way, and what closures are if not tapes.
fn step(way: &Way) -> String {
    match way.options.closures {
        Closures::Tapes => way.strategy(),
        step => format!("{}, {}", way.strategy(), step.name()),
    }
}

/// The ways to compare: the strategies and orders of simplification that are named, or else all; in a sweep only the default one.
/// All take one seed.
fn ways(q: &Question, flags: &Compare) -> Result<(Vec<Way>, Option<Value>), Error> {
    let call = &flags.differentiate.call;
    let simplify = match (call.choices.no_interleave, call.choices.no_simplify) {
        (false, false) if flags.sweep.is_some() => vec![Simplify::Interleaved],
        (false, false) => vec![Simplify::Interleaved, Simplify::AtEnd, Simplify::Off],
        (at_end, off) => [(at_end, Simplify::AtEnd), (off, Simplify::Off)].iter().filter(|s| s.0).map(|s| s.1).collect(),
    };
    let strategies = match &call.choices.strategy[..] {
        [StrategyFlag::Auto] => {
            let fewer = call.choices.slots.map(|_| StrategyFlag::Checkpoint);
            let traced = flags.traced.then_some(StrategyFlag::Trace);
            let all =
                [StrategyFlag::Closure, StrategyFlag::Stack].into_iter().chain(fewer).chain(traced).chain([StrategyFlag::Auto]);
            all.map(|s| vec![s]).collect()
        }
        named => vec![named.to_vec()],
    };
    let (mut ways, mut seed): (Vec<Way>, _) = (Vec::new(), None);
    for strategy in strategies {
        let mut flags = flags.differentiate.clone();
        flags.call.choices.strategy = strategy;
        let asked = Asked::new(q, &flags)?;
        seed = asked.seed;
        let options = flags.call.with_plugin()?;
        let way = |simplify, closures| Way {
            request: asked.request.clone(),
            options: Options { simplify, closures, ..options.clone() },
        };
        // Without reverse mode there are no strategies to choose from.
        if ways.iter().any(|known| known.strategy() == way(Simplify::Off, Closures::default()).strategy()) {
            continue;
        }
        for &simplify in &simplify {
            let steps = simplify == Simplify::Interleaved && options.plan.orders.contains(&Strategy::Closure);
            let steps = match call.choices.closures {
                // The default first: a step that changes nothing is left out.
                None if steps => Closures::ALL.into_iter().rev().collect(),
                chosen => vec![chosen.map_or_else(Closures::default, Closures::from)],
            };
            ways.extend(steps.into_iter().map(|closures| way(simplify, closures)));
        }
    }
    Ok((ways, seed))
}

impl Swept {
    /// Reads `n=10,100` or `1=10,100`.
    fn read(text: &str, q: &Question) -> Result<Swept, Error> {
        const HINT: &str = "write an argument's name or number, = and its values, such as n=10,100,1000";
        let refused = |message: String| Error::Arguments(format!("--sweep {text}: {message}"));
        let (name, values) = text.split_once('=').ok_or_else(|| refused(HINT.into()))?;
        let (name, index) = find_argument(name.trim(), &q.function, q.values.len()).map_err(refused)?;
        let ty = &q.types[index];
        if !matches!(ty, Type::F64 | Type::I64) {
            return Err(refused(format!("a number is swept, and `{name}` is a {}", ty.describe())));
        }
        let values = values.split(',').map(|v| value(v.trim(), ty).ok_or(v));
        let values: Vec<Value> = values
            .collect::<Result<_, _>>()
            .map_err(|v| refused(format!("`{v}` is no value of `{name}`, which is {} here; {HINT}", an(&ty.describe()))))?;
        Ok(Swept { name, index, values })
    }
}

fn an(noun: &str) -> String {
    format!("{} {noun}", if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" })
}

/// A number of a type; `1e6` is an int too, and `3` a float, where the argument says so.
fn value(text: &str, ty: &Type) -> Option<Value> {
    let float = || serde_json::from_str::<f64>(text).ok().filter(|v| v.is_finite());
    match ty {
        Type::F64 => float().map(Value::F64),
        _ => {
            text.parse().ok().or_else(|| float().filter(|v| v.fract() == 0.0 && v.abs() < 1e15).map(|v| v as i64)).map(Value::I64)
        }
    }
}
