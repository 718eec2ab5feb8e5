//! The workloads on arrays, with the inputs that other tools are given: pseudorandom numbers of a mixer of 32 bits.

use super::Bench;
use gradus::compare::{Timed, Turns};
use gradus::{Array, DType, Dims, Elements, Engine, Error, Options, Request, Source, Strategy, Value};

const TEXT: &str = include_str!("../../../benches/programs/arrays.py");

/// Numbers from 0 to 1, by a seed and their places.
fn unit(seed: u32, count: usize) -> impl Iterator<Item = f64> {
    (0..count as u32).map(move |i| {
        let mut x = i.wrapping_add(seed.wrapping_mul(1_000_003));
        x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
        x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
        f64::from(x ^ (x >> 16)) / 4_294_967_296.0
    })
}

/// Numbers from -1 to 1.
fn signed(seed: u32, count: usize) -> impl Iterator<Item = f64> {
    unit(seed, count).map(|x| 2.0 * x - 1.0)
}

fn array(shape: &[i64], elements: impl Iterator<Item = f64>) -> Value {
    array_of(DType::F64, shape, elements)
}

fn array_of(dtype: DType, shape: &[i64], elements: impl Iterator<Item = f64>) -> Value {
    Array::of_floats(dtype, Dims::new(shape), elements.collect()).into()
}

fn vector(elements: impl Iterator<Item = f64>) -> Value {
    let elements: Vec<f64> = elements.collect();
    array(&[elements.len() as i64], elements.into_iter())
}

/// A workload: its name, its function, its arguments, of which the first is differentiated for.
type Workload = (String, &'static str, Vec<Value>);

/// All of them; the network runs on batches of these sizes.
fn workloads(batches: &[u32]) -> Vec<Workload> {
    let mut all: Vec<Workload> = Vec::new();
    let mut add = |name: &str, function: &'static str, args: Vec<Value>| all.push((name.into(), function, args));
    add("sincos_v10000", "sincos", vec![vector(signed(1, 10_000).map(|x| 3.0 * x))]);
    for n in [100, 1000, 100_000] {
        add(&format!("lse{n}"), "lse", vec![vector(signed(2, n).map(|x| 4.0 * x))]);
    }
    let (w, x) = (vector(signed(5, 101).map(|x| 0.3 * x)), array(&[1000, 100], signed(3, 100_000)));
    let y = vector(unit(4, 1000).map(|x| if x < 0.5 { -1.0 } else { 1.0 }));
    add("logreg", "logreg", vec![w, x, y]);
    for (batch, dtype) in batches.iter().flat_map(|&batch| [(batch as usize, DType::F32), (batch as usize, DType::F64)]) {
        let p = signed(8, 25_450).enumerate().map(|(i, p)| p * if i < 784 * 32 { 0.05 } else { 0.2 });
        let y = Elements::I64(unit(7, batch).map(|y| (y * 10.0) as i64).collect());
        let y = Array::new(Dims::new([batch as i64]), y);
        let x = array_of(dtype, &[batch as i64, 784], unit(6, batch * 784));
        add(&format!("mlp_b{batch}_{}", dtype.name()), "mlp", vec![array_of(dtype, &[25_450], p), x, y.into()]);
    }
    let n = 10_000;
    let parts = [(10, 80.0, 40.0), (11, 80.0, 40.0), (12, 0.01, 0.04), (13, 0.1, 0.4), (14, 0.2, 1.8)];
    let options = parts.into_iter().flat_map(|(seed, low, width)| unit(seed, n).map(move |x| low + width * x));
    add("blackscholes", "blackscholes", vec![vector(options)]);
    add("lstm50", "lstm50", vec![vector(signed(21, 8320).map(|x| 0.3 * x)), array(&[50, 32], signed(20, 1600))]);
    let (d, k) = (10, 25);
    let gmm = signed(31, k + 2 * k * d + k * 45).enumerate().map(|(i, x)| if i < k + k * d { x } else { 0.3 * x });
    add("gmm_d10_k25_n1000", "gmm", vec![vector(gmm), array(&[1000, 10], signed(30, 10_000))]);
    let sequence = array(&[1024, 14], unit(41, 1024 * 14).map(|x| if x < 0.5 { 0.0 } else { 1.0 }));
    add("lstm_adbench_l2_c1024", "lstm_adbench", vec![vector(signed(42, 266)), array(&[2, 2, 14], signed(40, 56)), sequence]);
    let start = unit(50, 32).map(|x| 1.0 + 0.5 * x).chain(unit(51, 32).map(|x| 3.0 + 0.5 * x));
    add("brusselator_n32_1000", "brusselator", vec![vector([1.0, 3.4, 10.0].into_iter().chain(start))]);
    let (at, along) = (vector(signed(60, 100).map(|x| 1.5 * x)), vector(signed(61, 100)));
    add("rosen100_grad", "rosen", vec![at.clone()]);
    add("rosen100_hvp", "rosen_hvp", vec![at, along]);
    all
}

impl Bench {
    /// Measures the workloads on arrays that are asked for; gives their number.
    pub fn arrays(&self) -> Result<usize, Error> {
        let mut measured = 0;
        for (name, function, args) in workloads(&self.batches) {
            let hvp = function == "rosen_hvp";
            let gradient = if hvp { Request::Value } else { Request::Gradient(vec![0]) };
            let primal = if hvp { "rosen" } else { function };
            for (suffix, strategy) in [("", Strategy::Auto), ("_func", Strategy::Closure), ("_tape", Strategy::Stack)] {
                let name = format!("{name}{suffix}");
                if !self.asks_for(&name) || hvp && !suffix.is_empty() {
                    continue;
                }
                let compile = |function: &str, request: &Request, args: &[Value]| {
                    let options = Options { plan: strategy.into(), math: self.math.into(), ..Options::default() };
                    let program = Engine::new(options).parse(Source::new("arrays.py", TEXT))?;
                    let types: Vec<_> = args.iter().map(Value::ty).collect();
                    program.function(function)?.compile(&types, request)
                };
                let few = if hvp { &args[..1] } else { &args[..] };
                let (value, derivative) = (compile(primal, &Request::Value, few)?, compile(function, &gradient, &args)?);
                let seconds = Timed::new(|| compile(function, &gradient, &args)).median(self.budget)?;
                let digest = super::digest(&derivative.run(&args)?);
                let native = || Error::Internal("workloads are compiled to native code".into());
                let mut runs =
                    [value.native().ok_or_else(native)?.prepare(few)?, derivative.native().ok_or_else(native)?.prepare(&args)?];
                let [first, second] = &mut runs;
                let mut calls = [Timed::new(|| Ok(first()?)), Timed::new(|| Ok(second()?))];
                let turns = Turns::measure(self.budget, &mut calls)?;
                super::report(&name, seconds, digest, &turns);
                measured += 1;
            }
        }
        Ok(measured)
    }
}
