//! Programs of tests/programs in StableHLO, and their answers by XLA.
//!
//! The second needs a plugin of XLA, whose path is in the environment variable `GRADUS_XLA_PLUGIN`.

#[path = "common/program.rs"]
mod program;

use expect_test::expect_file;
use gradus::xla::{Program, Sharding, TRIPS, Xla};
use gradus::{
    Array, Backend, Compiled, DType, Dims, Elements, Engine, Error, Function, Mode, Options, Request, Schema, Type, Value,
    active, json, spread,
};
use gradus_pjrt::{HostArray, Plugin, Setting};
use program::{Header, arguments, compare, files};
use rayon::prelude::*;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Of every so many programs the second derivative is taken, too.
const SECONDS: usize = 10;

fn plugin() -> Option<Xla> {
    let Some(path) = std::env::var_os("GRADUS_XLA_PLUGIN") else {
        println!("skipped: GRADUS_XLA_PLUGIN does not name a plugin of XLA");
        return None;
    };
    Some(Xla::load(path).expect("a plugin"))
}

/// A program with its answers.
struct Case {
    name: String,
    header: Header,
    function: Function,
    answers: Vec<(Vec<Value>, Json)>,
}

impl Case {
    fn read(path: &Path) -> Case {
        let text = std::fs::read_to_string(path).expect("a readable program");
        let expected = std::fs::read_to_string(path.with_extension("out")).expect("answers beside the program");
        let header = Header::read(&text);
        let entry = header.get("entry").expect("an entry");
        // No machine code is made of it.
        let engine = Engine::new(Options { backend: Backend::Interp, ..Options::default() });
        let function = engine.load(path).and_then(|p| p.function(entry)).expect("a program with its entry");
        let answer =
            |(args, line): (&str, &str)| (arguments(args, header.is_single()), serde_json::from_str(line).expect("JSON answers"));
        let answers = header.all("args").zip(expected.lines()).map(answer).collect();
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        Case { name, header, function, answers }
    }

    fn wrt(&self, types: &[Type]) -> Vec<usize> {
        self.header.wrt().unwrap_or_else(|| active(types))
    }

    /// What is asked first: the gradient, if there is one.
    fn request(&self) -> (Request, Vec<Type>) {
        let (args, expected) = &self.answers[0];
        let types: Vec<Type> = args.iter().map(Value::ty).collect();
        let request = if expected["gradient"].is_null() { Request::Value } else { Request::Gradient(self.wrt(&types)) };
        (request, types)
    }

    /// What is wrong with the answers by XLA.
    fn check(&self, function: &Function, with_second: bool) -> Result<(), String> {
        for (args, expected) in &self.answers {
            let types: Vec<Type> = args.iter().map(Value::ty).collect();
            let wrt = self.wrt(&types);
            let tolerance = self.header.tolerance();
            let run = |request: &Request| function.compile(&types, request).and_then(|c| c.run(args)).map_err(|e| e.to_string());
            if expected["gradient"].is_null() {
                compare(&json::write(&run(&Request::Value)?), &expected["value"], tolerance)?;
            } else {
                let Value::Tuple(pair) = run(&Request::Gradient(wrt.clone()))? else { return Err("no pair".into()) };
                let gradient = Value::tuple(spread(&pair[1], &wrt, args.len()));
                let wanted = Json::Array(vec![expected["value"].clone(), expected["gradient"].clone()]);
                compare(&json::write(&Value::tuple([pair[0].clone(), gradient])), &wanted, tolerance)?;
            }
            if with_second && !expected["second"].is_null() {
                let modes = vec![Mode::Reverse, Mode::Forward];
                let compiled = self.function.compile(&types, &Request::Orders(wrt[0], modes.clone()));
                // A second derivative may need what the first did not.
                if compiled.is_ok_and(|c| exports(&c)) {
                    let Value::Tuple(orders) = run(&Request::Orders(wrt[0], modes))? else { return Err("no orders".into()) };
                    compare(&json::write(&orders[2]), &expected["second"], tolerance)?;
                }
            }
        }
        Ok(())
    }
}

fn exports(compiled: &Compiled) -> bool {
    compiled.stablehlo(&Sharding::default(), 1).is_ok()
}

fn cases() -> Vec<Case> {
    let only = std::env::var("PROGRAM").ok();
    let mut list = files("tests/programs");
    let is_among = |p: &Path, names: &str| p.file_stem().is_some_and(|s| names.split(',').any(|name| *s == *name));
    list.retain(|p| only.as_ref().is_none_or(|names| is_among(p, names)));
    list.par_iter().map(|path| Case::read(path)).collect()
}

/// Which programs have no StableHLO, and why; of all others it is written.
#[test]
fn refusals() {
    let cases = cases();
    let found: Vec<Option<String>> = cases
        .par_iter()
        .map(|case| {
            let (request, types) = case.request();
            let compiled = case.function.compile(&types, &request).expect("a program of the tests");
            match compiled.stablehlo(&Sharding::default(), TRIPS) {
                Ok(_) => None,
                Err(e @ (Error::Refused(_) | Error::Unavailable(_))) => Some(e.to_string()),
                Err(e) => panic!("{}: {e}", case.name),
            }
        })
        .collect();
    let mut table: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (case, reason) in cases.iter().zip(&found) {
        if let Some(reason) = reason {
            table.entry(reason).or_default().push(&case.name);
        }
    }
    let written = found.iter().filter(|reason| reason.is_none()).count();
    let mut text = format!("{written} of {} programs have StableHLO.\n", cases.len());
    for (reason, names) in table {
        _ = write!(text, "\n{}: {reason}\n", names.len());
        names.iter().for_each(|name| _ = writeln!(text, "    {name}"));
    }
    if std::env::var_os("PROGRAM").is_none() {
        expect_file!["xla/refused.txt"].assert_eq(&text);
        let page = std::fs::read_to_string("docs/xla.md").expect("the page");
        let share = format!("{written} of {} have it", cases.len());
        assert!(page.contains(&share), "docs/xla.md does not say: {share}");
    }
}

#[test]
fn answers() {
    let Some(plugin) = plugin() else { return };
    let cases = cases();
    let options = Options { xla: Some(plugin), backend: Backend::Xla, ..Options::default() };
    let wrong: Vec<String> = cases
        .par_iter()
        .enumerate()
        .filter_map(|(i, case)| {
            let (request, types) = case.request();
            let function = case.function.with(options.clone());
            let wrong = if case.function.compile(&types, &request).is_ok_and(|c| exports(&c)) {
                case.check(&function, i % SECONDS == 0).err()
            } else {
                None
            };
            wrong.map(|e| format!("{}: {e}", case.name))
        })
        .collect();
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

/// Floats at the edges, and others. XLA takes subnormal ones for zero.
fn special_floats() -> Vec<f64> {
    let edges = [0.0, 1e-300, 1e-9, 0.3, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 20.0, 171.5, 700.0, 1e9, 1e300, f64::MAX, f64::INFINITY];
    edges.iter().flat_map(|&v| [v, -v]).chain([f64::NAN]).collect()
}

/// The same in both executors: NaN, infinities and signs of zeros, and numbers to some digits. What is subnormal may be zero.
fn alike(found: &[f64], expected: &[f64], digits: f64) -> Option<usize> {
    let close = |a: f64, b: f64| {
        a.is_nan() && b.is_nan()
            || a == b && (a != 0.0 || a.is_sign_negative() == b.is_sign_negative())
            || (a - b).abs() <= digits * b.abs()
            || a.abs().max(b.abs()) <= f64::MIN_POSITIVE && a.is_sign_negative() == b.is_sign_negative()
    };
    (0..expected.len()).find(|&i| found.len() != expected.len() || !close(found[i], expected[i]))
}

fn floats_of(v: &Value) -> Vec<f64> {
    match v {
        Value::F64(v) => vec![*v],
        Value::I64(v) => vec![*v as f64],
        Value::Array(array) => (0..array.elements().len()).flat_map(|i| floats_of(&array.elements().get(i))).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn special_values() {
    let Some(plugin) = plugin() else { return };
    let program = Engine::default().load("tests/xla/special.py").expect("the file");
    let options = Options { xla: Some(plugin), backend: Backend::Xla, ..Options::default() };
    let interpreted = Options { backend: Backend::Interp, ..Options::default() };
    let floats = special_floats();
    let count = floats.len();
    let array = |v: Vec<f64>| Value::from(Array::of_floats(DType::F64, Dims::new([v.len() as i64]), v));
    let ints = |v: Vec<i64>| Value::from(Array::new(Dims::new([v.len() as i64]), Elements::I64(v)));
    let edges: Vec<i64> =
        vec![0, 1, -1, 2, -2, 3, 7, -7, 63, 1 << 31, 3_037_000_500, -3_037_000_500, i64::MAX, i64::MIN, i64::MIN + 1];
    let pairs = |all: usize| (0..all * all).map(move |i| (i / all, i % all));
    let x: Vec<f64> = pairs(count).map(|(i, _)| floats[i]).collect();
    let y: Vec<f64> = pairs(count).map(|(_, j)| floats[j]).collect();
    let wrong: Vec<String> = program
        .functions()
        .par_iter()
        .filter(|name| **name != "narrow_loop")
        .flat_map(|name| {
            let function = program.function(name).expect("a function of the file");
            let parameters = function.parameters().iter().map(|p| p.to_string()).collect::<Vec<_>>();
            let calls: Vec<Vec<Value>> = match parameters.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["a", "b"] => pairs(edges.len()).map(|(i, j)| vec![edges[i].into(), edges[j].into()]).collect(),
                ["x", "y"] if name.starts_with("wrap") => {
                    let [a, b] = [0, 1].map(|k| pairs(edges.len()).map(|p| edges[[p.0, p.1][k]]).collect());
                    vec![vec![ints(a), ints(b)]]
                }
                ["x", "y"] => vec![vec![array(x.clone()), array(y.clone())]],
                _ => vec![vec![array(floats.clone())], vec![array(vec![1.5])], vec![array(vec![-0.0, 0.0, 3.0, -0.0, 3.0])]],
            };
            let (on_xla, plain) = (function.with(options.clone()), function.with(interpreted.clone()));
            let mut wrong = Vec::new();
            for args in calls {
                let [found, expected] = [&on_xla, &plain].map(|f| f.run(&Request::Value, &args));
                let misfit = match (&found, &expected) {
                    (Ok(a), Ok(b)) => alike(&floats_of(a), &floats_of(b), 1e-12).map(|i| {
                        let at = args.iter().map(|v| floats_of(v).get(i).copied().unwrap_or(f64::NAN)).collect::<Vec<_>>();
                        format!("at {at:?}: {:?}, expected {:?}", floats_of(a).get(i), floats_of(b)[i])
                    }),
                    (Err(a), Err(b)) => (a.to_string() != b.to_string()).then(|| format!("{args:?}: {a}, expected {b}")),
                    _ => Some(format!("{args:?}: {found:?}, expected {expected:?}")),
                };
                wrong.extend(misfit.map(|m| format!("{name} {m}")));
            }
            wrong.truncate(3);
            wrong
        })
        .collect();
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

/// A tape with room for few records is made larger.
#[test]
fn tapes_grow() {
    let Some(plugin) = plugin() else { return };
    let function =
        Engine::xla(plugin).load("tests/xla/special.py").and_then(|p| p.function("narrow_loop")).expect("the function");
    let native = function.with(Options::default());
    for trips in [0, 1, 1023, 1024, 1025, 50_000] {
        let args = [Value::F64(0.7), Value::I64(trips)];
        let [found, expected] = [&function, &native].map(|f| f.run(&Request::Reverse(vec![0]), &args).expect("an answer"));
        let [found, expected] = [found, expected].map(|v| json::write(&v));
        compare(&found, &expected, 1e-12).expect("the same gradient");
    }
}

/// Eight virtual devices give the numbers of one; their partial sums are put together by one operation.
#[test]
fn sharded() {
    let Some(path) = std::env::var_os("GRADUS_XLA_PLUGIN") else { return };
    let plugin = Xla::with_devices(path, 8).expect("a plugin with eight devices");
    let program = Engine::xla(plugin).load("examples/batch.py").expect("the file");
    let noise = |shape: &[i64], seed: usize| {
        let count = shape.iter().product::<i64>() as usize;
        let floats = (0..count).map(|i| ((i * 7919 + seed * 104_729 + 13) % 1009) as f64 / 504.5 - 1.0).collect();
        Value::from(Array::of_floats(DType::F64, Dims::new(shape), floats))
    };
    let names = ["w1", "b1", "w2", "b2"].map(Into::into);
    let schema = std::sync::Arc::new(Schema { class: None, fields: names.into() });
    let fields = [noise(&[4, 8], 1), noise(&[8], 2), noise(&[8, 2], 3), noise(&[2], 4)];
    let weights = Value::Record(schema, fields.into_iter().collect());
    let train = vec![weights, noise(&[16, 4], 5), noise(&[16, 2], 6), Value::F64(0.1)];
    let kmeans = vec![noise(&[32, 2], 7), noise(&[4, 2], 8)];
    let price: Vec<Value> = [noise(&[64], 9)].into_iter().chain([100.0, 105.0, 0.02, 0.3, 1.0].map(Value::F64)).collect();
    let cases = [
        ("train", train.clone(), Request::Value, "data=8", "x=data,y=data"),
        ("train", train, Request::Value, "data=4,model=2", "x=data,y=data,weights.w1=:model,weights.b1=model,weights.w2=model"),
        ("kmeans", kmeans, Request::Value, "data=8", "points=data"),
        ("call_price", price, Request::Gradient(vec![1, 2, 3, 4, 5]), "data=8", "normals=data"),
    ];
    let mut counts = String::new();
    for (name, args, request, mesh, shard) in cases {
        let function = program.function(name).expect("a function of the file");
        let expected = function.with(Options::default()).run(&request, &args).expect("an answer of one device");
        let sharding = Sharding::parse(mesh, shard).expect("a sharding");
        let split = function.with(Options { sharding, ..function.options().clone() });
        let found = split.run(&request, &args).expect("an answer of eight devices");
        compare(&json::write(&found), &json::write(&expected), 1e-12).unwrap_or_else(|e| panic!("{name}: {e}"));
        let types = split.types(&args);
        let compiled = split.compile(&types, &request).expect("a program");
        let sums = compiled.xla_operations("all-reduce").expect("its operations");
        _ = writeln!(counts, "{name} on {mesh}: {}", sums.len());
    }
    expect_file!["xla/collectives.txt"].assert_eq(&counts);
}

/// Results and gradients are split over eight virtual devices, and put together again.
#[test]
fn sharded_results() {
    let Some(path) = std::env::var_os("GRADUS_XLA_PLUGIN") else { return };
    let plugin = Xla::with_devices(path, 8).expect("a plugin with eight devices");
    let program = Engine::xla(plugin).load("tests/xla/sharded.py").expect("the file");
    let floats = |shape: &[i64], seed: i64| {
        let count = shape.iter().product::<i64>();
        let items = (0..count).map(|i| ((i * 7919 + seed * 104_729 + 13) % 1009) as f64 / 504.5 - 1.0).collect();
        Value::from(Array::of_floats(DType::F64, Dims::new(shape), items))
    };
    let (x, w) = (floats(&[16, 4], 1), floats(&[4, 8], 2));
    let both = vec![0, 1];
    let pair = Type::tuple([Type::Array(DType::F64, Dims::new([16, 8])), Type::F64]);
    let cotangent = Value::tuple([floats(&[16, 8], 3), Value::F64(0.5)]);
    let [given, tangents] = [vec![x.clone(), w.clone()], vec![floats(&[16, 4], 4), floats(&[4, 8], 5)]];
    let types = tangents.iter().map(Value::ty).collect::<Vec<_>>();
    let split = "x=data,w=:model";
    let cases = [
        ("layer", given.clone(), Request::Value, "data=8", "x=data,return.0=data"),
        ("layer", given.clone(), Request::Value, "data=4,model=2", "x=data,w=:model,return.0=data:model"),
        // What XLA computes on all devices alike is split all the same.
        ("layer", given.clone(), Request::Value, "data=8", "return.0=:data"),
        ("loss", given.clone(), Request::Gradient(both.clone()), "data=4,model=2", split),
        ("loss", given.clone(), Request::Forward(both.clone(), None), "data=4,model=2", split),
        ("loss", given.clone(), Request::Jacobian(both.clone()), "data=4,model=2", split),
        ("scaled", given.clone(), Request::Gradient(both.clone()), "data=8", "x=data,w=:data"),
        ("layer", [&given[..], &[cotangent]].concat(), Request::Pullback(both.clone(), pair), "data=8", "x=data,return.0=data"),
        ("layer", [&given[..], &tangents].concat(), Request::Jvp(types.clone()), "data=8", "x=data,return.0=data"),
        ("loss", [&given[..], &tangents].concat(), Request::Hvp(both, types), "data=4,model=2", split),
    ];
    for (name, args, request, mesh, shard) in cases {
        let function = program.function(name).expect("a function of the file");
        let expected = function.with(Options::default()).run(&request, &args).expect("an answer of one device");
        let sharding = Sharding::parse(mesh, shard).expect("a sharding");
        let split = function.with(Options { sharding, ..function.options().clone() });
        let found = split.run(&request, &args).unwrap_or_else(|e| panic!("{name} with {shard}: {e}"));
        compare(&json::write(&found), &json::write(&expected), 1e-12)
            .unwrap_or_else(|e| panic!("{name} with {shard}, {request:?}: {e}"));
    }
}

/// A gradient for eight devices.
fn sharded_gradient() -> Program {
    let loss = Engine::default().load("tests/xla/sharded.py").and_then(|p| p.function("loss")).expect("the function");
    let types = [[16, 4], [4, 8]].map(|shape| Type::Array(DType::F64, Dims::new(shape)));
    let sharding = Sharding::parse("data=4,model=2", "x=data,w=:model").expect("a sharding");
    let gradient = loss.compile(&types, &Request::Gradient(vec![0, 1])).expect("a gradient");
    gradient.stablehlo(&sharding, TRIPS).expect("its program")
}

/// What JAX's library of StableHLO reads from the artifact of a program is what it reads from its text. The environment variable
/// `GRADUS_JAX_PYTHON` names a Python with JAX.
#[test]
fn artifacts_are_the_programs() {
    let Some(python) = std::env::var_os("GRADUS_JAX_PYTHON") else {
        println!("skipped: GRADUS_JAX_PYTHON does not name a Python with JAX");
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("artifacts");
    _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, program: &Program| {
        std::fs::write(folder.join(format!("{name}.mlir")), &program.text).expect("the text is written");
        std::fs::write(folder.join(format!("{name}.mlirbc")), program.artifact()).expect("the artifact is written");
    };
    let cases = cases();
    let exported = cases.par_iter().filter(|case| {
        let (request, types) = case.request();
        let compiled = case.function.compile(&types, &request).expect("a program of the tests");
        let program = compiled.stablehlo(&Sharding::default(), TRIPS);
        program.is_ok_and(|program| {
            write(&case.name, &program);
            true
        })
    });
    let mut count = exported.count();
    write("a_sharded_gradient", &sharded_gradient());
    count += 1;
    let script = std::process::Command::new(python).arg("tests/xla/artifacts.py").arg(&folder).output().expect("Python runs");
    let said = String::from_utf8_lossy(&script.stdout);
    assert!(script.status.success(), "{said}{}", String::from_utf8_lossy(&script.stderr));
    assert_eq!(said.lines().next(), Some(&*format!("{count} artifacts are what their texts are")));
}

/// XLA compiles artifacts, and runs them as it runs the texts.
#[test]
fn artifacts_run() {
    let Some(path) = std::env::var_os("GRADUS_XLA_PLUGIN") else { return };
    let devices = [("cpu_device_count", Setting::Int(8))];
    let client = Plugin::load(path.as_ref()).and_then(|plugin| plugin.client(&devices)).expect("a plugin");
    let host = |v: &Value| match v {
        Value::F64(v) => Some(HostArray::from(*v)),
        Value::I64(v) => Some(HostArray::from(*v)),
        Value::Array(array) => match array.elements() {
            Elements::F64(items) => Some(HostArray::of_floats(&array.shape(), items)),
            _ => None,
        },
        _ => None,
    };
    let check = |(i, case): (usize, &Case)| -> Option<()> {
        let (request, types) = case.request();
        let program = case.function.compile(&types, &request).ok()?.stablehlo(&Sharding::default(), TRIPS).ok()?;
        // All with operations of another dialect, and some of the others.
        if i % SECONDS > 0 && !program.text.contains("chlo.") {
            return None;
        }
        let args = case.answers[0].0.iter().map(host).collect::<Option<Vec<_>>>()?;
        let run = |code: &[u8]| client.compile(code, 1).and_then(|program| program.run(std::slice::from_ref(&args)));
        let [of_text, of_artifact] = [program.text.as_bytes(), &program.artifact()].map(run);
        let of_artifact = of_artifact.unwrap_or_else(|e| panic!("{}: {e}", case.name));
        assert_eq!(of_artifact, of_text.expect("the text runs"), "{}", case.name);
        Some(())
    };
    let count = cases().par_iter().enumerate().filter_map(check).count();
    assert!(count > 20, "only {count} programs have arguments that are numbers and arrays");
    let program = sharded_gradient();
    let [of_text, of_artifact] = [program.text.as_bytes(), &program.artifact()].map(|code| {
        let compiled = client.compile(code, 8).unwrap_or_else(|e| panic!("a sharded gradient: {e}"));
        compiled.operations("all-reduce").expect("its operations")
    });
    assert!(!of_text.is_empty());
    assert_eq!(of_artifact, of_text);
}

#[test]
fn what_does_not_fit_is_said() {
    let compiled = |name: &str, args: &[Value]| {
        let function = Engine::default().load("examples/batch.py").and_then(|p| p.function(name)).expect("the function");
        function.compile(&function.types(args), &Request::Value).expect("a program")
    };
    let points = |n: i64| Value::from(Array::of_floats(DType::F64, Dims::new([n, 2]), vec![0.5; 2 * n as usize]));
    let kmeans = compiled("kmeans", &[points(8), points(2)]);
    let refused = |shard: &str| {
        let sharding = Sharding::parse("data=4", shard).expect("a sharding");
        kmeans.stablehlo(&sharding, TRIPS).expect_err("it does not fit").to_string()
    };
    assert_eq!(refused("rows=data"), "no argument is called `rows`; there are points, centres, return");
    assert_eq!(refused("return=data"), "2 elements cannot be split evenly over the axis `data` of 4 devices");
    assert_eq!(refused("points=::data"), "`points` has 2 dimensions, axes are given for 3");
    assert!(Sharding::parse("data=0", "").is_err());
    assert!(Sharding::parse("data=2,data=2", "").is_err());
    assert!(Sharding::parse("data", "").is_err());
    let missing = Xla::load("no/such/plugin.so").expect_err("there is none").to_string();
    assert!(missing.starts_with("cannot load the XLA plugin no/such/plugin.so"), "{missing}");
}
