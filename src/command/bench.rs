//! `gradus bench`: times of workloads that other tools are timed at too, as lines `workload,metric,value`.

mod arrays;

use super::{MathFlag, answer};
use clap::{Args, value_parser};
use gradus::compare::{Timed, Turns};
use gradus::{Argument, Data, Engine, Error, Options, Request, Source, Strategy, Typed, Value, to_value};
use std::hint::black_box;
use std::time::Duration;

const SCALAR: &str = include_str!("../../benches/programs/scalar.py");
const LORENZ: &str = include_str!("../../benches/programs/lorenz.py");
const ORDERS: &str = include_str!("../../benches/programs/orders.py");

#[derive(Args, Debug)]
pub struct Bench {
    /// Only workloads with one of these words in their names, which end in how the gradient is taken: `pow1000` by default,
    /// `pow1000_func` by closures, `pow1000_tape` by stacks, `pow1000_fwd` in forward mode.
    filter: Vec<String>,
    /// How long to run each.
    #[arg(long, value_name = "SECONDS", default_value = "0.6", value_parser = seconds)]
    budget: Duration,
    /// Which rewrites of arithmetic are allowed: those that keep the bits, or those over the reals too.
    #[arg(long, value_enum, default_value = "exact")]
    math: MathFlag,
    /// The batch sizes of the workloads `mlp_bN_f32` and `mlp_bN_f64`.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,32,256")]
    #[arg(value_parser = value_parser!(u32).range(1..=1 << 20))]
    batches: Vec<u32>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number is expected")?;
    Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())
}

/// A function of a program, and the ways to its gradient.
struct Workload {
    name: String,
    text: &'static str,
    function: &'static str,
    variants: Vec<Variant>,
}

/// A way to a gradient.
struct Variant {
    /// What follows the name of the workload.
    suffix: &'static str,
    function: String,
    strategy: Strategy,
    request: Request,
}

impl Workload {
    /// The gradient in some arguments: by either strategy, and in forward mode for one argument.
    fn gradient(name: &str, text: &'static str, function: &'static str, wrt: &[usize]) -> Workload {
        let reverse = Request::Gradient(wrt.to_vec());
        let mut ways = vec![
            ("", Strategy::Auto, reverse.clone()),
            ("_func", Strategy::Closure, reverse.clone()),
            ("_tape", Strategy::Stack, reverse),
        ];
        if wrt.len() == 1 {
            ways.push(("_fwd", Strategy::Auto, Request::Forward(wrt.to_vec(), None)));
        }
        let variant = |(suffix, strategy, request)| Variant { suffix, function: function.into(), strategy, request };
        Workload { name: name.into(), text, function, variants: ways.into_iter().map(variant).collect() }
    }

    /// One derivative of order `n`, by `grad` and by `jvp` inside of the program.
    fn order(n: usize) -> Workload {
        let variant = |(suffix, mode)| {
            let function = format!("{mode}{n}");
            Variant { suffix, function, strategy: Strategy::Auto, request: Request::Value }
        };
        let variants = [("", "reverse"), ("_fwd", "forward")].map(variant).into();
        Workload { name: format!("nthd{n}"), text: ORDERS, function: "f", variants }
    }
}

impl Bench {
    /// Compiles from the text.
    fn compile<A: gradus::Args, R: Data>(&self, w: &Workload, v: &Variant) -> Result<Typed<A, R>, Error> {
        let options = Options { plan: v.strategy.into(), math: self.math.into(), ..Options::default() };
        let program = Engine::new(options).parse(Source::new(&w.name, w.text))?;
        program.function(&v.function)?.request(v.request.clone())
    }

    fn asks_for(&self, name: &str) -> bool {
        self.filter.is_empty() || self.filter.iter().any(|word| name.contains(word))
    }

    /// Measures the variants that are asked for, and prints the figures of each as soon as they are there. Gives their number.
    fn measure<A, R>(&self, workload: &Workload, args: A) -> Result<usize, Error>
    where
        A: gradus::Args + Argument<A> + Copy,
        R: Data + Argument<R>,
    {
        let value = Variant { suffix: "", function: workload.function.into(), strategy: Strategy::Auto, request: Request::Value };
        let mut measured = 0;
        for variant in &workload.variants {
            let name = format!("{}{}", workload.name, variant.suffix);
            if !self.asks_for(&name) {
                continue;
            }
            let primal = self.compile::<A, f64>(workload, &value)?;
            let gradient = self.compile::<A, R>(workload, variant)?;
            let compile = Timed::new(|| self.compile::<A, R>(workload, variant)).median(self.budget)?;
            let digest = digest(&to_value::<R>(gradient.call(args)?));
            let mut calls = [Timed::new(|| primal.call(black_box(args))), Timed::new(|| gradient.call(black_box(args)))];
            let turns = Turns::measure(self.budget, &mut calls)?;
            report(&name, compile, digest, &turns);
            measured += 1;
        }
        Ok(measured)
    }
}

/// Prints the figures of a workload: seconds of compilation, the digest, and the turns of primal and gradient.
fn report(name: &str, compile: f64, digest: f64, turns: &Turns) {
    let metrics = [
        ("compile_grad_s", compile),
        ("digest", digest),
        ("primal_s", turns.median(0)),
        ("grad_s", turns.median(1)),
        ("ratio", turns.ratio(1, 0)),
        ("primal_min_s", turns.least(0)),
        ("grad_min_s", turns.least(1)),
    ];
    answer::print(&metrics.map(|(metric, value)| format!("{name},{metric},{value:e}")).join("\n"));
}

/// A number that tells a wrong gradient: the sum of its floats, each times 1 to 7 by its place. A derivative that is computed by
/// the program itself is all of the answer, another is behind the value.
fn digest(answer: &Value) -> f64 {
    fn floats(v: &Value, out: &mut Vec<f64>) {
        match v {
            Value::F64(x) => out.push(*x),
            Value::Array(array) => out.extend(&*array.floats().unwrap_or_default()),
            Value::Tuple(items) | Value::List(items) => items.iter().for_each(|v| floats(v, out)),
            _ => {}
        }
    }
    let mut gradient = Vec::new();
    match answer {
        Value::Tuple(pair) => floats(&pair[1], &mut gradient),
        derivative => floats(derivative, &mut gradient),
    }
    gradient.iter().zip((1..=7).cycle()).map(|(g, weight)| g * f64::from(weight)).sum()
}

/// Measures the workloads.
pub fn bench(flags: &Bench) -> Result<(), Error> {
    type Six = (f64, f64, f64, f64, f64, f64, ());
    let mut measured = 0;
    let sincos = Workload::gradient("sincos", SCALAR, "sincos", &[0]);
    measured += flags.measure::<_, (f64, (f64,))>(&sincos, (0.7,))?;
    let pow = Workload::gradient("pow1000", SCALAR, "power", &[0]);
    measured += flags.measure::<_, (f64, (f64, ()))>(&pow, (1.0007, 1000_i64))?;
    let powdyn = Workload::gradient("powdyn", SCALAR, "power_until", &[0]);
    measured += flags.measure::<_, (f64, (f64, ()))>(&powdyn, (1.007, 1000.0))?;
    let lorenz = Workload::gradient("lorenz_rk4_10000", LORENZ, "lorenz", &[0, 1, 2, 3, 4, 5]);
    measured += flags.measure::<_, (f64, Six)>(&lorenz, (1.0, 1.2, 0.9, 10.0, 28.0, 8.0 / 3.0, 10_000_i64))?;
    for n in 1..=8 {
        measured += flags.measure::<_, f64>(&Workload::order(n), (0.8,))?;
    }
    measured += flags.arrays()?;
    if measured == 0 {
        return Err(Error::Arguments(format!("no workload has {} in its name", flags.filter.join(" or "))));
    }
    Ok(())
}
