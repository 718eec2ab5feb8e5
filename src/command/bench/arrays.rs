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

/// The observations of bundle adjustment: of each the camera, the point and the weight, and where the point was seen.
fn observations() -> (Value, Value) {
    let (cameras, points, count) = (50, 1000, 10_000);
    let number = |seed: u32, n: usize, low: f64, width: f64| -> Vec<f64> { unit(seed, n).map(|x| low + width * x).collect() };
    let axes = number(70, 3 * cameras, -0.25, 0.6);
    let centres = number(71, 3 * cameras, -0.5, 1.0);
    let rest = [(72, 500.0, 50.0), (73, -1.0, 2.0), (74, -1.0, 2.0), (75, -0.01, 0.02), (76, -0.001, 0.002)];
    let rest = rest.map(|(seed, low, width)| number(seed, cameras, low, width));
    let (across, depth) = (number(77, 2 * points, -1.0, 2.0), number(78, points, 5.0, 1.0));
    let weights = number(79, count, 0.5, 1.0);
    let [camera, point] = [(82, cameras), (83, points)].map(|(seed, n)| unit(seed, count).map(move |x| (x * n as f64) as usize));
    let mut seen = Vec::with_capacity(15 * count);
    for ((camera, point), weight) in camera.zip(point).zip(weights) {
        seen.extend_from_slice(&axes[3 * camera..3 * camera + 3]);
        seen.extend_from_slice(&centres[3 * camera..3 * camera + 3]);
        seen.extend(rest.iter().map(|numbers| numbers[camera]));
        seen.extend_from_slice(&across[2 * point..2 * point + 2]);
        seen.extend([depth[point], weight]);
    }
    let features = signed(80, count).zip(signed(81, count)).flat_map(|(x, y)| [50.0 * x, 50.0 * y]);
    let n = count as i64;
    (array(&[n, 15], seen.into_iter()), array(&[n, 2], features))
}

/// A workload.
struct Workload {
    name: String,
    /// The function.
    function: &'static str,
    /// The function that gives a derivative of it; else the gradient in the first argument is taken.
    derivative: Option<&'static str>,
    /// The arguments: those that the function does not take are of the derivative alone.
    args: Vec<Value>,
}

/// All of them; the network runs on batches of these sizes.
fn workloads(batches: &[u32]) -> Vec<Workload> {
    let mut all: Vec<Workload> = Vec::new();
    let mut add = |name: &str, function: &'static str, args: Vec<Value>| {
        all.push(Workload { name: name.into(), function, derivative: None, args });
    };
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
    let mut add = |name: &str, function: &'static str, derivative: &'static str, args: Vec<Value>| {
        all.push(Workload { name: name.into(), function, derivative: Some(derivative), args });
    };
    add("rosen100_hvp", "rosen", "rosen_hvp", vec![at.clone(), along]);
    add("rosen100_hess", "rosen", "rosen_hess", vec![at]);
    let (seen, features) = observations();
    add("ba_10000", "ba", "ba_jacobian", vec![seen, features]);
    all
}

impl Bench {
    /// Measures the workloads on arrays that are asked for; gives their number.
    pub fn arrays(&self) -> Result<usize, Error> {
        let mut measured = 0;
        for Workload { name, function: primal, derivative, args } in workloads(&self.batches) {
            let gradient = if derivative.is_some() { Request::Value } else { Request::Gradient(vec![0]) };
            let function = derivative.unwrap_or(primal);
            for (suffix, strategy) in [("", Strategy::Auto), ("_func", Strategy::Closure), ("_tape", Strategy::Stack)] {
                let name = format!("{name}{suffix}");
                if !self.asks_for(&name) || derivative.is_some() && !suffix.is_empty() {
                    continue;
                }
                let compile = |function: &str, request: &Request, args: &[Value]| {
                    let options = Options { plan: strategy.into(), math: self.math.into(), ..Options::default() };
                    let program = Engine::new(options).parse(Source::new("arrays.py", TEXT))?;
                    let types: Vec<_> = args.iter().map(Value::ty).collect();
                    program.function(function)?.compile(&types, request)
                };
                let few = if function == "rosen_hvp" { &args[..1] } else { &args[..] };
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
