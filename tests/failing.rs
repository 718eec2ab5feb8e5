//! What fails has no derivative: where a function fails, its derivatives of every kind and order fail, with its message, and nothing of
//! them is a number. All ways to run a program, against closed forms where it does not fail.

use gradus::{Backend, Engine, Error, Function, Options, Simplify, Source, Strategy};
use rayon::prelude::*;

/// Functions that are x² for x > 0, and fail elsewhere. In a file with the last one, effects are handed on.
const SQUARES: [(&str, &str); 7] = [
    ("asserts", "    assert x > 0.0, \"positive\"\n    return x * x\n"),
    ("raises", "    if x > 0.0:\n        return x * x\n    raise ValueError(\"positive\")\n"),
    (
        "in_a_loop",
        "    s = 0.0\n    for i in range(2):\n        assert x > 0.0, \"positive\"\n        s = s + x * x / 2.0\n    return s\n",
    ),
    ("in_a_closure", "    def inner():\n        assert x > 0.0, \"positive\"\n        return x\n    return x * inner()\n"),
    (
        "in_a_recursion",
        "    def go(n):\n        assert x > 0.0 or n > 1, \"positive\"\n        return 0.0 if n == 0 else x * x / 3.0 + go(n - 1)\n    return go(3)\n",
    ),
    ("unassigned", "    if x > 0.0:\n        positive = x\n    return x * positive\n"),
    ("beside", "    checked(x)\n    return x * x\n"),
];

/// The ways to differentiate, by the name of the function: what it gives is 2x or 2.
const WAYS: &str = "
def by_grad(f, x): return grad(f)(x)
def by_value_and_grad(f, x): return value_and_grad(f)(x)[1]
def by_vjp(f, x): return vjp(f, x)[1](1.0)[0]
def by_vjp_with_aux(f, x): return vjp(lambda x: (f(x), x), x, has_aux=True)[1](1.0)[0]
def by_jvp(f, x): return jvp(f, (x,), (1.0,))[1]
def by_linearize(f, x): return linearize(f, x)[1](1.0)
def by_jacfwd(f, x): return jacfwd(f)(x)
def by_jacrev(f, x): return jacrev(f)(x)
def by_checkpoint(f, x): return grad(checkpoint(f))(x)
def by_vmap(f, x): return vmap(grad(f))(np.array([abs(x), x]))[0]
def twice_by_grad(f, x): return grad(grad(f))(x)
def twice_by_hessian(f, x): return hessian(f)(x)
def twice_by_hvp(f, x): return hvp(f, x, 1.0)
def twice_by_jvp(f, x): return jvp(grad(f), (x,), (1.0,))[1]
def twice_by_vjp(f, x): return vjp(grad(f), x)[1](1.0)[0]
def twice_by_grad_of_jvp(f, x): return grad(lambda x: jvp(f, (x,), (1.0,))[1])(x)
";

fn source(squares: &[(&str, &str)]) -> String {
    let mut text = String::from(
        "import numpy as np\nfrom gradus import checkpoint, grad, hessian, hvp, jacfwd, jacrev, jvp, linearize, value_and_grad, vjp, vmap\n\ndef checked(x):\n    assert x > 0.0, \"positive\"\n",
    );
    for (name, body) in squares {
        text += &format!("\ndef {name}(x):\n{body}");
    }
    text += WAYS;
    for way in ways() {
        for (name, _) in squares {
            text += &format!("def {way}_{name}(x): return {way}({name}, x)\n");
        }
    }
    text
}

fn ways() -> impl Iterator<Item = &'static str> {
    WAYS.lines().filter_map(|line| line.strip_prefix("def ")?.split_once('(')).map(|(way, _)| way)
}

/// What is wrong with a function that is run in these ways.
fn check(function: &Function, all: &[Options]) -> Vec<String> {
    let mut failures = Vec::new();
    for options in all {
        let at = format!("{:?} {:?} {:?}", options.backend, options.plan, options.simplify);
        let mut wrong = |what: String| failures.push(format!("{at} {}: {what}", function.name()));
        let f = match function.with(options.clone()).typed::<f64, f64>() {
            Ok(f) => f,
            Err(e) => {
                wrong(e.to_string());
                continue;
            }
        };
        match f.call(3.0) {
            Ok(found) if (found - if function.name().starts_with("twice") { 2.0 } else { 6.0 }).abs() < 1e-14 => {}
            other => wrong(format!("{other:?}")),
        }
        match f.call(-3.0) {
            Err(Error::Failed { message, .. }) if message.contains("positive") => {}
            other => wrong(format!("{other:?} where it fails")),
        }
    }
    failures
}

#[test]
fn derivatives_fail_where_values_do() {
    let mut all = Vec::new();
    for backend in [Backend::Jit, Backend::Interp] {
        for strategy in [Strategy::Stack, Strategy::Closure] {
            for simplify in [Simplify::Interleaved, Simplify::AtEnd, Simplify::Off] {
                all.push(Options { backend, simplify, plan: strategy.into(), ..Options::default() });
            }
        }
    }
    // With and without effects.
    let failures = [&SQUARES[..6], &SQUARES].into_iter().flat_map(|squares| {
        let program = Engine::default().parse(Source::new("failing.py", source(squares))).expect("correct Python");
        let names: Vec<String> = ways().flat_map(|way| squares.iter().map(move |(name, _)| format!("{way}_{name}"))).collect();
        // The options share the function, as they differ in nothing before derivatives are taken.
        let of = |name: &String| program.function(name).map_or_else(|e| vec![format!("{name}: {e}")], |f| check(&f, &all));
        names.par_iter().flat_map_iter(of).collect::<Vec<String>>()
    });
    let failures: Vec<String> = failures.collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
