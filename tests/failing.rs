//! What fails has no derivative: where a function fails, its derivatives of every kind and order fail, with its message, and nothing of
//! them is a number. All ways to run a program, against closed forms where it does not fail.

use gradus::{Backend, Engine, Error, Options, Program, Simplify, Source, Strategy};
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

fn check(program: &Program, squares: &[(&str, &str)]) -> Vec<String> {
    let mut failures = Vec::new();
    for way in ways() {
        for (name, _) in squares {
            let name = format!("{way}_{name}");
            let f = program.function(&name).and_then(|f| f.typed::<f64, f64>());
            let mut wrong = |what: String| failures.push(format!("{name}: {what}"));
            let f = match f {
                Ok(f) => f,
                Err(e) => {
                    wrong(e.to_string());
                    continue;
                }
            };
            match f.call(3.0) {
                Ok(found) if (found - if way.starts_with("twice") { 2.0 } else { 6.0 }).abs() < 1e-14 => {}
                other => wrong(format!("{other:?}")),
            }
            match f.call(-3.0) {
                Err(Error::Failed { message, .. }) if message.contains("positive") => {}
                other => wrong(format!("{other:?} where it fails")),
            }
        }
    }
    failures
}

#[test]
fn derivatives_fail_where_values_do() {
    let mut ways = Vec::new();
    for backend in [Backend::Jit, Backend::Interp] {
        for strategy in [Strategy::Stack, Strategy::Closure] {
            for simplify in [Simplify::Interleaved, Simplify::AtEnd, Simplify::Off] {
                for squares in [&SQUARES[..6], &SQUARES] {
                    ways.push((Options { backend, simplify, plan: strategy.into(), ..Options::default() }, squares));
                }
            }
        }
    }
    let failures = ways.into_par_iter().flat_map_iter(|(options, squares)| {
        let at = format!("{:?} {:?} {:?}", options.backend, options.plan, options.simplify);
        let program = Engine::new(options).parse(Source::new("failing.py", source(squares))).expect("correct Python");
        check(&program, squares).into_iter().map(move |failure| format!("{at} {failure}"))
    });
    let failures: Vec<String> = failures.collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
