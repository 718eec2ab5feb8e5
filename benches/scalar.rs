//! Scalar code over arrays and lists beside the same programs in C: `benches/scalar/NAME.py` and `NAME.c`, compiled by
//! `cc -O3 -march=native`. A derivative in C is the adjoint by hand.
//!
//! `cargo bench --bench scalar` prints how long each takes, relative to C; `-- NAME` measures one. Both are measured in turns, and the
//! shortest time of each counts.

use gradus::compare::{Timed, Turns};
use gradus::{Array, Compiled, Dims, Elements, Engine, Function, Request, Type, Value};
use libloading::{Library, Symbol};
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

/// A program, its integer, how many floats it has, and whether there is a derivative.
type Case = (&'static str, i64, usize, bool);

const CASES: &[Case] = &[
    ("mandelbrot", 80, 2, false),
    ("collatz", 20_000, 1, false),
    ("nbody_arrays", 100, 48, true),
    ("nbody_lists", 100, 48, true),
    ("sieve_arrays", 200_000, 1, false),
    ("sieve_lists", 200_000, 1, false),
    ("heat_in_place", 200, 500, true),
    ("heat_two_arrays", 200, 500, true),
    ("histogram", 64, 100_000, false),
    ("insertion_sort", 500, 500, true),
    ("levenshtein", 300, 600, false),
    ("matmul", 48, 2 * 48 * 48, true),
    ("fib", 24, 1, false),
];

/// How long a program and its like in C are measured.
const RUN: Duration = Duration::from_millis(600);

type InC = unsafe extern "C" fn(*const f64, i64) -> f64;
type GradientInC = unsafe extern "C" fn(*const f64, i64, *mut f64);

/// The C program of a case as a library.
fn in_c(folder: &Path, name: &str) -> Library {
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("scalar_{name}.so"));
    let flags = ["-O3", "-march=native", "-shared", "-fPIC", "-o"];
    let done = Command::new("cc").args(flags).arg(&library).arg(folder.join(format!("{name}.c"))).arg("-lm").status();
    assert!(done.expect("a C compiler").success(), "{name}.c does not compile");
    // SAFETY: the library has no code that runs when it is loaded.
    unsafe { Library::new(&library) }.expect("a library")
}

/// Numbers in [0, 1), the same each time.
fn numbers(count: usize) -> Vec<f64> {
    let mut state = 12345_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..count).map(|_| next()).collect()
}

/// Compiles; for this integer alone where a shape depends on it.
fn compile(function: &Function, args: &[Value], request: &Request) -> Arc<Compiled> {
    let types: Vec<Type> = args.iter().map(Value::ty).collect();
    let compiled = function.compile(&types, request).or_else(|_| function.for_arguments(args).compile(&types, request));
    compiled.unwrap_or_else(|e| panic!("{}: {e}", function.name()))
}

/// The shortest times of ours and theirs, measured in turns, in microseconds, and how they compare.
fn row(ours: Timed, theirs: Timed) -> String {
    let turns = Turns::measure(RUN, &mut [ours, theirs]).unwrap_or_else(|e| panic!("{e}"));
    let [a, b] = [0, 1].map(|i| turns.least(i) * 1e6);
    format!("{a:>11.1} {b:>11.1} {:>6.2}", a / b)
}

fn floats(v: &Value) -> Vec<f64> {
    match v {
        Value::F64(v) => vec![*v],
        Value::Array(v) => v.floats().expect("floats").to_vec(),
        Value::Tuple(items) => items.iter().flat_map(floats).collect(),
        other => panic!("no floats: {other:?}"),
    }
}

fn check(name: &str, ours: &[f64], theirs: &[f64]) {
    let largest = theirs.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    let same = ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(a, b)| (a - b).abs() <= 1e-9 * largest);
    assert!(same, "{name}: {ours:?}, in C {theirs:?}");
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/scalar");
    let only: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    println!("{:<16} {:>11} {:>11} {:>6}   {:>11} {:>11} {:>6}", "", "value µs", "C µs", "ratio", "gradient µs", "C µs", "ratio");
    for &(name, n, count, has_gradient) in CASES.iter().filter(|c| only.is_empty() || only.iter().any(|o| o == c.0)) {
        let library = in_c(&folder, name);
        let program = Engine::default().load(folder.join(format!("{name}.py"))).expect("a program");
        let function = program.function("f").expect("a function");
        let mut x = numbers(count);
        if name == "mandelbrot" {
            x = vec![-2.0, -1.0];
        }
        let args = [Array::new(Dims::new([count as i64]), Elements::F64(x.clone())).into(), Value::I64(n)];
        let run = |code: &Compiled| code.run(&args).unwrap_or_else(|e| panic!("{name}: {e}"));

        // SAFETY: the functions have these types (`benches/scalar/scalar.h`), and read no more than `x`.
        let value: Symbol<InC> = unsafe { library.get(b"value") }.expect("a function");
        let code = compile(&function, &args, &Request::Value);
        // SAFETY: as above.
        let in_c = || unsafe { value(black_box(x.as_ptr()), n) };
        check(name, &floats(&run(&code)), &[in_c()]);
        print!("{name:<16} {}", row(Timed::new(|| code.run(&args)), Timed::new(|| Ok(in_c()))));

        if has_gradient {
            // SAFETY: as above; `g` has the length of `x`.
            let gradient: Symbol<GradientInC> = unsafe { library.get(b"gradient") }.expect("a function");
            let code = compile(&function, &args, &Request::Gradient(vec![0]));
            let mut g = vec![0.0; count];
            // SAFETY: as above.
            unsafe { gradient(x.as_ptr(), n, g.as_mut_ptr()) };
            let found = floats(&run(&code));
            check(name, &found[1..], &g);
            let in_c = || {
                // SAFETY: as above.
                unsafe { gradient(black_box(x.as_ptr()), n, g.as_mut_ptr()) };
                Ok(())
            };
            print!("   {}", row(Timed::new(|| code.run(&args)), Timed::new(in_c)));
        }
        println!();
    }
}
