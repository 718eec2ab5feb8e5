//! Sparse Jacobians and Hessians: what is found of them, that nothing of the answers changes by it, and their compressed rows.

use gradus::{Backend, Compiled, Dims, Elements, Engine, Function, Options, Request, Simplify, Source, Value};
use gradus_opt::Compressed;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::sync::Arc;

fn whole(text: &str) -> String {
    format!("import numpy as np\nfrom gradus import grad, hessian, jacfwd, jacrev, jvp\n{text}")
}

fn function(text: &str, name: &str, options: Options) -> Function {
    Engine::new(options).parse(Source::new("sparse.py", whole(text))).and_then(|p| p.function(name)).expect("a correct program")
}

fn compiled(text: &str, name: &str, args: &[Value], options: Options) -> Arc<Compiled> {
    let types: Vec<_> = args.iter().map(Value::ty).collect();
    function(text, name, options).compile(&types, &Request::Value).expect("a correct program")
}

/// Numbers between -1 and 1.
fn vector(n: usize) -> Value {
    let numbers = (0..n).map(|i| ((i * 7919 + 13) % 1009) as f64 / 504.5 - 1.0).collect();
    gradus::Array::of_floats(gradus::DType::F64, Dims::new([n as i64]), numbers).into()
}

fn floats(value: &Value) -> Vec<f64> {
    let Value::Array(array) = value else { panic!("an array") };
    array.floats().expect("floats").into_owned()
}

fn integers(value: &Value) -> Vec<usize> {
    match value {
        Value::Array(array) => match array.elements() {
            Elements::I64(v) => v.iter().map(|&v| v as usize).collect(),
            other => panic!("integers, not {other:?}"),
        },
        other => panic!("an array, not {other:?}"),
    }
}

/// The matrices that took fewer directions, after a check that both executors give the bits of loops that are left as they are.
fn found(text: &str, args: &[Value]) -> Vec<Compressed> {
    let sparse = compiled(text, "f", args, Options::default());
    let answer = sparse.run(args).expect("an answer");
    let without = vec!["batch"];
    for options in [Options { backend: Backend::Interp, ..Options::default() }, Options { without, ..Options::default() }] {
        let other = compiled(text, "f", args, options).run(args).expect("an answer");
        assert!(answer.same_bits(&other), "{text}\n{answer:?}\n{other:?}");
    }
    sparse.report().simplifier.compressed().cloned().collect()
}

/// Entries, band and directions of the one matrix that is sparse in `text`.
fn one(text: &str, n: usize) -> Option<(usize, usize, usize)> {
    let found = found(text, &[vector(n)]);
    assert!(found.len() < 2, "{found:?}");
    found.first().map(|c| (c.entries, c.band, c.directions))
}

const ROSENBROCK: &str = "
def g(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)
";

#[test]
fn a_band_takes_as_many_directions_as_it_is_wide() {
    let hessian = format!("{ROSENBROCK}\ndef f(x): return hessian(g)(x)");
    assert_eq!(one(&hessian, 100), Some((298, 1, 3)));
    assert_eq!(one("def f(x): return jacfwd(lambda x: np.sin(x) * x)(x)", 40), Some((40, 0, 1)));
    assert_eq!(one("def f(x): return jacrev(lambda x: np.sin(x) * x)(x)", 40), Some((40, 0, 1)));
    assert_eq!(one("def f(x): return jacfwd(lambda x: x[3:] * x[:-3])(x)", 40), Some((74, 3, 2)));
    assert_eq!(one("def f(x): return jacfwd(lambda x: x[5:] - x[:-5] * x[1:-4] * x[2:-3])(x)", 40), Some((140, 5, 6)));
}

#[test]
fn what_is_found_is_explained() {
    let text = format!("{ROSENBROCK}\ndef f(x): return hessian(g)(x)");
    let hessian = compiled(&text, "f", &[vector(100)], Options::default());
    let source = gradus::raw::Source::new("sparse.py", whole(&text));
    let lines = gradus::explain::lines(&hessian, &source);
    let expected = "sparse in line 7: 298 entries in 100 directions of 100 numbers, none more than 1 beside the diagonal; \
                    directions that are taken: 3";
    assert!(lines.contains(&expected.to_owned()), "{lines:#?}");
    let [.., (name, json)] = gradus::explain::json(&hessian, &source);
    let sparse = serde_json::json!({"line": 7, "all": 100, "numbers": 100, "entries": 298, "band": 1, "directions": 3});
    let expected = serde_json::json!([sparse]);
    assert_eq!((&*name, json), ("sparse", expected));
}

#[test]
fn blocks_take_as_many_directions_as_one_of_them() {
    let sums = "def f(x): return jacfwd(lambda x: np.sum(np.exp(x.reshape(-1, 5)), axis=1))(x)";
    assert_eq!(one(sums, 60).map(|found| (found.0, found.2)), Some((60, 5)));
    let products = "def f(x): return jacrev(lambda x: (np.exp(x.reshape(-1, 3)) @ np.ones((3, 2))).ravel())(x)";
    assert_eq!(one(products, 60).map(|found| (found.0, found.2)), Some((120, 2)));
}

#[test]
fn what_is_not_proved_sparse_is_dense() {
    // A full row; an element that all rows read; an order, a place, and a number of turns that only the run knows.
    let dense = [
        "def f(x): return jacfwd(lambda x: np.concatenate([x[1:], np.sum(x * x, keepdims=True)]))(x)",
        "def f(x): return jacfwd(lambda x: x / np.max(x))(x)",
        "def f(x): return jacfwd(lambda x: np.sort(x))(x)",
        "def f(x): return jacfwd(lambda x: np.cumsum(x * x))(x)",
        "def f(x): return jacfwd(lambda x: x[(x > 0.0).astype(int)] * x[0])(x)",
        "
def powers(x):
    k = 0
    n = 3 + int(x[0])
    while k < n:
        x = x[::-1] * x + np.sum(x)
        k = k + 1
    return x
def f(x): return jacfwd(powers)(x)",
        // The number of the direction is more than that; a part of a row is written alone.
        "
def f(x):
    y = np.zeros((30, 30))
    for k in range(30):
        y[k] = jvp(lambda x: x * x, (x,), (1.0 * (np.arange(30) == k),))[1] * k
    return y",
        "
def f(x):
    y = np.zeros((30, 30)) + x
    for k in range(30):
        y[k, 3] = jvp(lambda x: x * x, (x,), (1.0 * (np.arange(30) == k),))[1][3]
    return y",
        "
def f(x):
    y = np.zeros((30, 30)) + x
    for k in range(30):
        if x[0] > 2.0:
            y[k] = jvp(lambda x: x * x, (x,), (1.0 * (np.arange(30) == k),))[1]
    return y",
    ];
    for text in dense {
        assert_eq!(one(text, 30), None, "{text}");
    }
    // Too small to be worth it.
    assert_eq!(one("def f(x): return jacfwd(lambda x: x * x)(x)", 8), None);
}

#[test]
fn a_column_that_all_rows_have_is_one_direction_more() {
    assert_eq!(one("def f(x): return jacfwd(lambda x: x[0] * x)(x)", 30), Some((59, 29, 2)));
    // All columns of these rows, by one index of the run, are one column of each.
    assert_eq!(one("def f(x): return jacfwd(lambda x: x * x[int(x[3] > 0.0)])(x)", 30).map(|found| found.2), None);
}

#[test]
fn loops_and_branches_are_followed() {
    let text = "
def g(x):
    y = np.zeros(30)
    for i in range(1, 29):
        if i % 2 == 0:
            y[i] = x[i - 1] * x[i + 1]
        else:
            y[i] = np.sin(x[i])
    return y
def f(x): return jacfwd(g)(x)";
    assert_eq!(one(text, 30).map(|found| (found.0, found.2)), Some((14 + 2 * 14, 2)));
    let text = "
def g(x):
    if x[0] > 0.5:
        return x[1:] * x[:-1]
    return x[:-1] ** 3
def f(x): return jacrev(g)(x)";
    assert_eq!(one(text, 30), Some((58, 1, 2)));
    let text = "
def g(x):
    s = 0.0
    for i in range(29):
        s = s + (x[i + 1] - x[i] ** 2) ** 2
    return s
def f(x): return hessian(g)(x)";
    assert_eq!(one(text, 30), Some((88, 1, 3)));
}

#[test]
fn loops_of_the_program_over_unit_vectors_are_the_same() {
    let text = "
def f(x):
    columns = np.zeros((30, 30))
    for k in range(30):
        columns[:, k] = jvp(lambda x: x[::-1] * np.exp(x), (x,), (1.0 * (np.arange(30) == k),))[1]
    return columns";
    assert_eq!(one(text, 30).map(|found| (found.0, found.2)), Some((60, 2)));
}

#[test]
fn derivatives_of_sparse_matrices_are_those_of_dense_ones() {
    let gradient = format!("{ROSENBROCK}\ndef f(x): return grad(lambda x: np.sum(np.sin(hessian(g)(x))))(x)");
    let jacobian = "def f(x): return jacfwd(lambda x: np.sum(jacrev(lambda x: x[1:] ** 2 * x[:-1])(x), axis=1))(x)";
    let x = [vector(40)];
    for (text, numbers, all, directions) in [(&*gradient, 40, 40, 3), (jacobian, 40, 39, 2)] {
        let answers = [(Simplify::Interleaved, vec![]), (Simplify::Interleaved, vec!["batch"]), (Simplify::Off, vec![])];
        let [(sparse, found), (dense, none), (plain, _)] = answers.map(|(simplify, without)| {
            let program = compiled(text, "f", &x, Options { simplify, without, ..Options::default() });
            let found = program.report().simplifier.compressed().map(|c| (c.numbers, c.all, c.directions)).collect::<Vec<_>>();
            (floats(&program.run(&x).expect("an answer")), found)
        });
        assert!(found.contains(&(numbers, all, directions)) && none.is_empty(), "{found:?}");
        // Sums over directions are not in the order of sums over columns.
        let scale = dense.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        for (v, others) in sparse.iter().zip(dense.iter().zip(&plain)) {
            assert!((v - others.0).abs() <= 1e-13 * scale && (v - others.1).abs() <= 1e-13 * scale, "{v}, not {others:?}");
        }
    }
}

#[test]
fn numbers_that_are_not_finite_are_those_of_dense_matrices() {
    for text in [
        "def f(x): return jacfwd(lambda x: np.exp(x) * x[0] - np.log(x))(x)",
        "def f(x): return jacfwd(lambda x: x * x * x[::-1])(x)",
        "def f(x): return hessian(lambda x: np.sum(x[1:] ** 3 * x[:-1]))(x)",
    ] {
        let numbers = (0..30).map(|i| [0.5, f64::INFINITY, -2.0, f64::NAN, -0.0, 1e308, f64::NEG_INFINITY][i * i % 7]).collect();
        let x = gradus::Array::of_floats(gradus::DType::F64, Dims::new([30]), numbers).into();
        assert_eq!(found(text, &[x]).len(), 1, "{text}");
    }
    // Beside an infinity, and beside what is no number, there are zeros.
    let numbers: Vec<f64> = (0..30).map(|i| [0.5, f64::INFINITY, -2.0, f64::NAN, f64::NEG_INFINITY][i % 5]).collect();
    let x = [gradus::Array::of_floats(gradus::DType::F64, Dims::new([30]), numbers.clone()).into()];
    for simplify in [Simplify::Interleaved, Simplify::Off] {
        let text = "def f(x): return jacrev(lambda x: np.exp(x[:-1]) - x[1:])(x)";
        let matrix = compiled(text, "f", &x, Options { simplify, ..Options::default() }).run(&x).expect("an answer");
        for (i, v) in floats(&matrix).into_iter().enumerate() {
            let expected = match (i % 30).wrapping_sub(i / 30) {
                0 => numbers[i / 30].exp(),
                1 => -1.0,
                _ => 0.0,
            };
            assert!((v - expected).abs() < 1e-14 || v == expected || v.is_nan() && expected.is_nan(), "{i}: {v}, not {expected}");
        }
    }
}

/// A dense matrix of compressed rows.
fn dense(rows: &Value, columns: usize) -> Vec<f64> {
    let Value::Tuple(parts) = rows else { panic!("a tuple") };
    let (data, places, starts) = (floats(&parts[0]), integers(&parts[1]), integers(&parts[2]));
    assert_eq!((data.len(), starts.last()), (places.len(), Some(&data.len())));
    let mut matrix = vec![0.0; (starts.len() - 1) * columns];
    for (row, own) in starts.windows(2).map(|ends| ends[0]..ends[1]).enumerate() {
        assert!(places[own.clone()].windows(2).all(|pair| pair[0] < pair[1]), "columns ascend");
        own.for_each(|k| matrix[row * columns + places[k]] = data[k]);
    }
    matrix
}

#[test]
fn compressed_rows_are_the_dense_matrix() {
    for (operator, body, entries) in [
        ("jacfwd", "x[2:] * np.exp(x[:-2])", 76),
        ("jacrev", "x[2:] * np.exp(x[:-2])", 76),
        ("hessian", "np.sum((x[1:] - x[:-1] ** 2) ** 2)", 118),
        ("jacrev", "np.sum(x * x)", 40),
        ("jacfwd", "np.cumsum(x)", 1600),
        ("jacfwd", "np.ones(7)", 280),
    ] {
        let text = |more: &str| format!("def f(x): return {operator}(lambda x: {body}{more})(x)");
        let x = [vector(40)];
        let whole = compiled(&text(""), "f", &x, Options::default()).run(&x).expect("an answer");
        let whole = floats(&whole);
        for (backend, simplify) in [(Backend::Jit, Simplify::Interleaved), (Backend::Interp, Simplify::Off)] {
            let options = Options { backend, simplify, ..Options::default() };
            let text = text("").replace(")(x)", ", sparse=True)(x)");
            let rows = compiled(&text, "f", &x, options).run(&x).expect("an answer");
            assert_eq!(dense(&rows, 40), whole, "{text}");
            let Value::Tuple(parts) = &rows else { panic!("a tuple") };
            assert_eq!(floats(&parts[0]).len(), entries, "{text}");
        }
    }
}

#[test]
fn a_hundred_thousand_variables_fit() {
    let n = 100_000;
    let text = format!("{ROSENBROCK}\ndef f(x): return hessian(g, sparse=True)(x)");
    let x = vector(n);
    let args = std::slice::from_ref(&x);
    let rows = compiled(&text, "f", args, Options::default()).run(args).expect("an answer");
    let Value::Tuple(parts) = &rows else { panic!("a tuple") };
    let (x, data) = (floats(&x), floats(&parts[0]));
    assert_eq!(data.len(), 3 * n - 2);
    for i in [1, 2, n / 2, n - 2] {
        let diagonal = 1200.0 * x[i] * x[i] - 400.0 * x[i + 1] + 202.0;
        for (k, expected) in [(3 * i - 1, -400.0 * x[i - 1]), (3 * i, diagonal), (3 * i + 1, -400.0 * x[i])] {
            assert!((data[k] - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{i}: {}, not {expected}", data[k]);
        }
    }
}

/// Vectors of 20 elements made of one another.
fn programs() -> impl Strategy<Value = String> {
    let step = (0..9_usize, 0..6_usize, 0..6_usize, 0..19_usize);
    prop::collection::vec(step, 1..6).prop_map(|steps| {
        let mut lines = vec!["def g(x):".to_owned(), "    v0 = x".into()];
        for (i, (what, a, b, k)) in steps.into_iter().enumerate() {
            let (a, b) = (format!("v{}", a.min(i)), format!("v{}", b.min(i)));
            let value = match what {
                0 => format!("{a} * {b}"),
                1 => format!("np.sin({a}) + {b}"),
                2 => format!("np.roll({a}, {k})"),
                3 => format!("np.concatenate([{a}[{k}:], {b}[:{k}]])"),
                4 => format!("np.where(np.arange(20) < {k}, {a}, {b})"),
                5 => format!("({a}.reshape(4, 5) @ np.ones((5, 5))).ravel() * {b}"),
                6 => format!("{a}.reshape(5, 4).T.ravel() - {b}"),
                7 => format!("{a}[[(i * {k} + 3) % 20 for i in range(20)]]"),
                _ => format!("np.where({a} > 0.0, {b}, {a}[{k}])"),
            };
            lines.push(format!("    v{} = {value}", i + 1));
        }
        let last = lines.len() - 2;
        lines.push(format!("    return v{last}"));
        lines.push("def f(x): return jacfwd(g)(x), jacrev(g)(x), hessian(lambda x: np.sum(g(x)))(x)".into());
        lines.join("\n")
    })
}

#[test]
fn a_transpose_of_what_is_scattered() {
    let g = "def g(x): return x.reshape(5, 4).T.ravel() - x\n";
    found(&format!("{g}def f(x): return jacfwd(g)(x), jacrev(g)(x), hessian(lambda x: np.sum(g(x)))(x)"), &[vector(20)]);
}

proptest! {
    // Always the same programs.
    #![proptest_config(ProptestConfig { cases: 12, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Default::default() })]
    #[test]
    fn bits_of_random_programs_stay(text in programs()) {
        found(&text, &[vector(20)]);
    }
}
