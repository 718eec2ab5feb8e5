//! The programs of examples/: each is run as its first comment says, and answers what stands there. Each line `$ gradus …` is a command; the
//! lines after it, as far as they are indented alike, are what it prints, numbers to 1e-12 of the largest. Where none follow, it
//! is enough that the command succeeds.

#[path = "common/answer.rs"]
mod answer;
#[path = "common/command.rs"]
mod command;

#[path = "../examples/curve_fitting.rs"]
mod curve_fitting;
#[path = "../examples/custom_primitive.rs"]
mod custom_primitive;
#[path = "../examples/differentiable.rs"]
mod differentiable;
#[path = "../examples/graphs.rs"]
mod graphs;
#[path = "../examples/mnist.rs"]
mod mnist;
#[path = "../examples/newton.rs"]
mod newton;
#[path = "../examples/physics.rs"]
mod physics;

use answer::same;
use command::gradus;
use gradus::{Engine, Math, Mode, Options, Request, Simplify, Source, Static, Strategy, Type};
use gradus_ir::{GraphId, Module, NodeId, Prim};
use std::collections::BTreeSet;
use std::path::Path;

const INDENT: &str = "#   ";

/// The commands of a file's first comment, each with what it prints.
fn commands(text: &str) -> Vec<(&str, Vec<&str>)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut open = false;
    for line in text.lines().take_while(|l| l.starts_with('#')) {
        let indented = line.strip_prefix(INDENT);
        match (indented.and_then(|l| l.strip_prefix("$ gradus ")), indented, found.last_mut()) {
            (Some(command), ..) => {
                found.push((command, Vec::new()));
                open = true;
            }
            (None, Some(output), Some((_, lines))) if open => lines.push(output),
            _ => open = false,
        }
    }
    found
}

#[test]
fn examples_print_what_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect("the folder").map(|e| e.expect("an entry").path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "py"));
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("an example");
        let commands = commands(&text);
        assert!(!commands.is_empty(), "{} says no command", file.display());
        for (command, expected) in commands {
            let out = gradus(command.split_whitespace());
            assert_eq!(out.code, 0, "gradus {command}\n{}", out.stderr);
            let expected = expected.join("\n");
            assert!(expected.is_empty() || same(&out.stdout, &expected), "gradus {command}\n{}\n{expected}", out.stdout);
        }
    }
}

/// Losses that a program shows while it trains: file, function, steps, and what part of the first loss the last one is at most.
const TRAINED: [(&str, &str, i64, f64); 5] = [
    ("linear_regression.py", "train", 100, 0.01),
    ("logistic_regression.py", "train", 50, 0.2),
    ("lstm.py", "train", 100, 0.4),
    ("kmeans.py", "costs", 6, 0.6),
    ("mixture.py", "fit", 100, 0.9),
];

#[test]
fn losses_fall() {
    for (file, function, steps, part) in TRAINED {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(file);
        let train = Engine::default().load(path).and_then(|p| p.function(function)).expect("an example");
        let losses = train.typed::<Static<i64>, Vec<f64>>().and_then(|f| f.call(steps)).expect("the example runs");
        assert!(losses.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)), "{file}: {losses:?}");
        assert!(losses[losses.len() - 1] <= part * losses[0], "{file}: {losses:?}");
    }
}

#[test]
fn a_network_learns() {
    let history = mnist::train(4).expect("the example runs");
    assert!(history.windows(2).all(|pair| pair[1].0 < pair[0].0), "{history:?}");
    assert!(history[3].1 > 0.9, "{history:?}");
    mnist::main().expect("the example runs");
}

#[test]
fn a_spring_is_found() {
    let (spring, start, seen) = differentiable::measurements();
    let guess = differentiable::Spring { stiffness: 3.5, damping: 0.1 };
    let (found, misfits) = differentiable::fit(guess, start, &seen).expect("the example runs");
    assert!((found.stiffness - spring.stiffness).abs() + (found.damping - spring.damping).abs() < 1e-12, "{found:?}");
    assert!(misfits.windows(2).take(4).all(|pair| pair[1] < 0.1 * pair[0]), "{misfits:?}");
    differentiable::main().expect("the example runs");
}

/// The operations that a value takes, without making and opening of tuples.
fn operations(m: &Module, value: NodeId) -> usize {
    let (mut seen, mut work, mut count) = (BTreeSet::new(), vec![value], 0);
    while let Some(n) = work.pop() {
        if seen.insert(n) {
            let is_tuple = matches!(m.as_prim(n), Some(Prim::Tuple | Prim::Get(_)));
            count += usize::from(m[n].graph.is_some() && !m[n].inputs().is_empty() && !is_tuple);
            work.extend(m[n].inputs());
        }
    }
    count
}

fn entry(m: &Module) -> GraphId {
    m.entry.expect("a typed module has an entry")
}

/// Myia's Figure 1.
#[test]
fn gradient_of_a_cube_is_three_operations() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/cube.py");
    let cube = Engine::default().load(path).and_then(|p| p.function("cube")).expect("the example");
    let compiled = cube.compile(&[Type::F64], &Request::Gradient(vec![0])).expect("compiles");
    let m = &compiled.stages().optimised;
    assert_eq!(m.graph_count(), 1);
    let pair = m.result(entry(m));
    assert_eq!(m.as_prim(pair), Some(Prim::Tuple));
    let gradient = m[pair].inputs()[1];
    assert!(operations(m, gradient) <= 3, "{}", gradus_ir::print::print(m));
}

#[test]
fn gradient_of_a_line_is_its_slope() {
    let source = Source::new("line.py", "from gradus import grad\ndef df(x): return grad(lambda x: 5*x + 3)(x)\n");
    let df = Engine::default().parse(source).and_then(|p| p.function("df")).expect("a program");
    let compiled = df.compile(&[Type::F64], &Request::Value).expect("compiles");
    let m = &compiled.stages().optimised;
    assert_eq!(m.graph_count(), 1);
    assert_eq!(m.as_f64(m.result(entry(m))), Some(5.0), "{}", gradus_ir::print::print(m));
}

/// The nodes of the derivatives of `f` in examples/tower.py up to some order.
fn nodes_of_tower(mode: Mode, order: usize, options: Options) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/tower.py");
    let f = Engine::new(options).load(path).and_then(|p| p.function("f")).expect("the example");
    let compiled = f.compile(&[Type::F64], &Request::Orders(0, vec![mode; order])).expect("compiles");
    compiled.report().nodes.1
}

#[test]
fn derivatives_grow_as_the_readme_says() {
    let forward = [1, 2, 3, 4, 5, 6, 7, 8].map(|order| nodes_of_tower(Mode::Forward, order, Options::default()));
    assert_eq!(forward, [18, 33, 54, 82, 117, 161, 215, 280]);
    let fast = nodes_of_tower(Mode::Forward, 8, Options { math: Math::Fast, ..Options::default() });
    assert!(fast <= forward[7], "rewrites over the reals make it no larger: {fast}");
    for strategy in [Strategy::Closure, Strategy::Stack] {
        let by_name = |order, simplify| {
            nodes_of_tower(Mode::Reverse, order, Options { plan: strategy.into(), simplify, ..Options::default() })
        };
        assert!(by_name(6, Simplify::Interleaved) > 3 * forward[5], "the price of reverse mode, order after order");
        assert!(by_name(4, Simplify::AtEnd) > by_name(4, Simplify::Interleaved), "the price of simplifying at the end only");
    }
}

#[test]
fn examples_in_rust() {
    let (t, y) = curve_fitting::samples();
    let fitted = curve_fitting::fit(&t, &y, [1.0, 1.0, 0.0], 8).expect("the example runs");
    assert!(fitted.iter().zip([2.0, 1.5, 0.5]).all(|(a, b)| (a - b).abs() < 0.02), "{fitted:?}");
    curve_fitting::main().expect("the example runs");

    let path = newton::minimise((-1.2, 1.0), 1e-10).expect("the example runs");
    let (x, y) = path[path.len() - 1];
    assert!(path.len() < 10 && (x - 1.0).abs() < 1e-9 && (y - 1.0).abs() < 1e-9, "{path:?}");
    newton::main().expect("the example runs");

    let pendulum = physics::Pendulum { length: 1.0, friction: 0.3 };
    let observed = physics::observe(pendulum, 0.8, 8).expect("the example runs");
    let found = physics::fit(physics::Pendulum { length: 1.1, friction: 0.1 }, 0.8, &observed, 60).expect("the example runs");
    assert!((found.length - 1.0).abs() < 1e-6 && (found.friction - 0.3).abs() < 1e-6, "{found:?}");
    physics::main().expect("the example runs");

    let shape = custom_primitive::shape(&custom_primitive::data()).expect("the example runs");
    assert!((2.85..3.15).contains(&shape), "{shape}");
    custom_primitive::main().expect("the example runs");

    let stages = graphs::stages().expect("the example runs");
    let (_, optimised, dot) = &stages[2];
    assert!(optimised.contains("cos %x") && dot.starts_with("digraph"), "{optimised}");
    assert!(stages[0].1.contains("J @wave"), "{}", stages[0].1);
    graphs::main().expect("the example runs");
}
