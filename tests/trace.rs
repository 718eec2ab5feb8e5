//! `--strategy trace`: what a tape of the run keeps, when it is emptied, and what has no place on it.

use gradus::{Compiled, Engine, Function, Options, Plan, Request, Simplify, Source, Strategy, Type, Value, explain, json};
use gradus_backend::interp::Interp;
use gradus_backend::{Jit, Usage};
use serde_json::json;

/// Simplified and not.
const SIMPLIFY: [Simplify; 2] = [Simplify::Interleaved, Simplify::Off];

fn function(plan: impl Into<Plan>, simplify: Simplify, source: &str) -> Function {
    let options = Options { plan: plan.into(), simplify, ..Options::default() };
    Engine::new(options).parse(Source::new("traced.py", source)).and_then(|p| p.function("f")).expect("a program")
}

/// The answers of both executors, and what they kept.
fn run(compiled: &Compiled, args: &[Value]) -> [(Value, Usage); 2] {
    let lowered = &compiled.stages().lowered;
    let jit = Jit::compile(lowered).expect("code").run_with_usage(args).expect("an answer");
    let interp = Interp::new(lowered).expect("code").run_with_usage(args).expect("an answer");
    assert!(jit.0.same_bits(&interp.0), "{} and {}", jit.0, interp.0);
    [jit, interp]
}

/// The entries of a loop are counted: two operations a step, the variable, and two that stand before them.
#[test]
fn an_entry_for_each_operation() {
    let source = "def f(x, n):\n    s = 0.0\n    for i in range(n):\n        s = s * x + x\n    return s\n";
    let args = [Value::F64(0.5), Value::I64(100)];
    for simplify in SIMPLIFY {
        let by = |strategy: Strategy| {
            let request = Request::Reverse(vec![0]);
            function(strategy, simplify, source).compile(&[Type::F64, Type::I64], &request).expect("a derivative")
        };
        let expected = by(Strategy::Stack).run(&args).expect("a gradient");
        for (found, usage) in run(&by(Strategy::Trace), &args) {
            assert!(found.same_bits(&expected), "{found} and {expected}");
            // In the first step, s is a constant.
            assert!((199..=203).contains(&usage.records), "{simplify:?}: {usage:?}");
        }
    }
}

/// A derivative that is taken again and again empties the tape each time.
#[test]
fn a_tape_is_emptied() {
    let source = "from gradus import grad\ndef g(y):\n    return y * y * y\ndef f(x, n):\n    for i in range(n):\n        x = x - 0.01 * grad(g)(x)\n    return x\n";
    let mut expected = 0.5;
    (0..10).for_each(|_| expected -= 0.01 * (3.0 * expected * expected));
    for simplify in SIMPLIFY {
        let compiled = function(Strategy::Trace, simplify, source).compile(&[Type::F64, Type::I64], &Request::Value);
        let compiled = compiled.expect("a program");
        let [few, many] = [10, 10_000].map(|n| run(&compiled, &[Value::F64(0.5), Value::I64(n)]));
        assert!(many[0].1.records > 500 * few[0].1.records, "{:?} and {:?}", few[0].1, many[0].1);
        assert_eq!(many[0].1.tape_bytes, few[0].1.tape_bytes, "native code says how large it was at its fullest");
        assert!(matches!(few[0].0, Value::F64(found) if (found - expected).abs() < 1e-15), "{}", few[0].0);
    }
}

/// A pullback that is called several times finds the tape as it was.
#[test]
fn pullbacks_are_called_again() {
    let source = "from gradus import jacrev, vjp\nimport numpy as np\ndef g(v):\n    return np.array([v[0] * v[1], np.sin(v[0]), v[1] * v[1]])\n\
                  def f(v):\n    y, back = vjp(g, v)\n    a = back(np.array([1.0, 0.0, 0.0]))[0]\n    b = back(np.array([0.0, 0.0, 2.0]))[0]\n    return a, b, jacrev(g)(v)\n";
    let v = json::read(&json!([2.0, 3.0])).expect("an array");
    let expected = json!([[3.0, 2.0], [0.0, 12.0], [[3.0, 2.0], [2.0_f64.cos(), 0.0], [0.0, 6.0]]]);
    for simplify in SIMPLIFY {
        let compiled = function(Strategy::Trace, simplify, source).compile(&[v.ty()], &Request::Value).expect("a program");
        for (value, _) in run(&compiled, std::slice::from_ref(&v)) {
            assert_eq!(json::write(&value), expected);
        }
    }
}

/// What cannot be traced is differentiated all the same, and said to be.
#[test]
fn what_cannot_be_traced_is_said() {
    let source = "from gradus import grad, custom_vjp\n@custom_vjp\ndef many(x, n):\n    out = []\n    for i in range(n):\n        out.append(x * i)\n    return out\n\
                  def fwd(x, n):\n    return many(x, n), n\ndef bwd(n, g):\n    s = 0.0\n    for i in range(n):\n        s += g[i] * i\n    return s, None\n\
                  many.defvjp(fwd, bwd)\ndef f(x, n):\n    return sum(many(x, n))\n";
    let f = function(Strategy::Trace, Simplify::Interleaved, source);
    let compiled = f.compile(&[Type::F64, Type::I64], &Request::Reverse(vec![0])).expect("a derivative");
    let value = compiled.run(&[Value::F64(2.0), Value::I64(4)]).expect("a gradient");
    assert_eq!(json::write(&value), json!([12.0, [6.0]]));
    let lines = explain::lines(&compiled, &gradus::raw::Source::new("traced.py", source));
    assert!(lines[0].starts_with("nothing is traced: the derivative"), "{lines:?}");
}
