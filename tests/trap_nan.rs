//! Runs that end at the first float that is NaN or infinite (`--trap-nan`): where they end, by all ways, and that others do not.

use gradus::{Backend, Engine, Error, Mode, Options, Request, Source, Strategy, Type, Value};
use gradus_ir::{Trap, TrapKind};

/// One function each, an argument, and the place of the first float that is not finite: in the value, the gradient, and the second
/// derivative. Empty where there is none.
const CASES: &[(&str, f64, [&str; 3])] = &[
    ("    return np.log(x) * 2.0\n", -1.0, ["np.log(x)"; 3]),
    ("    return 1.0 / (x - 1.0)\n", 1.0, ["1.0 / (x - 1.0)"; 3]),
    ("    return math.sqrt(x)\n", 0.0, ["", "math.sqrt(x)", "math.sqrt(x)"]),
    ("    return x ** 1.5\n", 0.0, ["", "", "x ** 1.5"]),
    ("    s = x\n    for i in range(12):\n        s = s * s\n    return s\n", 2.0, ["s * s"; 3]),
    ("    s = x\n    while s < 1e300:\n        s = s * s\n    return 1e-300 * s\n", 2.0, ["s * s"; 3]),
    ("    def go(n, s):\n        return s if n == 0 else go(n - 1, s * s)\n    return go(12, x)\n", 2.0, ["s * s"; 3]),
    ("    f = lambda y: np.exp(y)\n    return sum([f(x), f(x * 1000.0)])\n", 1.0, ["np.exp(y)"; 3]),
    ("    return np.sum(np.log(np.array([1.0, x, 3.0])))\n", 0.0, ["np.log(np.array([1.0, x, 3.0]))"; 3]),
    (
        "    return np.sum(np.sqrt(np.array([1.0, x, 3.0])))\n",
        0.0,
        ["", "np.sqrt(np.array([1.0, x, 3.0]))", "np.sqrt(np.array([1.0, x, 3.0]))"],
    ),
    ("    a = np.array([[1e200, x], [x, 1e200]])\n    return (a @ a)[0, 1]\n", 1.0, ["a @ a"; 3]),
    ("    p = {'a': x, 'b': [x, x * 1e308]}\n    return p['b'][1] * p['b'][1]\n", 2.0, ["x * 1e308"; 3]),
    // What is not computed, is a constant or is chosen from, may be infinite.
    ("    return math.log(x) if x > 0.0 else x * x\n", -1.0, ["", "", ""]),
    ("    return 2.0 if x > 0.0 else 1.0 / (x + 1.0)\n", 1.0, ["", "", ""]),
    (
        "    best = math.inf\n    for y in [x, x * x, 3.0]:\n        best = min(best, y)\n    return best * best\n",
        2.0,
        ["", "", ""],
    ),
    ("    safe = np.where(x > 0.0, x, 1.0)\n    return np.where(x > 0.0, np.sqrt(safe), 0.0) + x * x\n", 0.0, ["", "", ""]),
    // The factor of a cotangent that is zero.
    ("    y = max(x, 1.0)\n    return y * y + (0.0 * math.sqrt(x) if x > 0.0 else 0.0)\n", 0.0, ["", "", ""]),
];

fn program(body: &str) -> String {
    format!("import math\nimport numpy as np\n\ndef f(x):\n{body}")
}

#[test]
fn runs_end_at_the_first_float_that_is_not_finite() {
    let requests = |order: usize| match order {
        0 => vec![Request::Value],
        1 => vec![Request::Reverse(vec![0]), Request::Forward(vec![0], None)],
        _ => [[Mode::Reverse; 2], [Mode::Forward; 2], [Mode::Reverse, Mode::Forward], [Mode::Forward, Mode::Reverse]]
            .map(|modes| Request::Orders(0, modes.to_vec()))
            .to_vec(),
    };
    for &(body, x, places) in CASES {
        let text = program(body);
        let file = Engine::default().parse(Source::new("f.py", &text[..])).expect("correct Python");
        for backend in [Backend::Jit, Backend::Interp] {
            for strategy in [Strategy::Closure, Strategy::Stack, Strategy::Checkpoint, Strategy::Trace] {
                let function =
                    file.function("f").unwrap().with(Options::new().backend(backend).strategy(strategy).trap_nan(true));
                for (order, place) in places.iter().enumerate() {
                    for request in requests(order) {
                        let at = || format!("{backend:?} {strategy:?} {request:?} at {x} of\n{text}");
                        let compiled = function.compile(&[Type::F64], &request).unwrap_or_else(|e| panic!("{e}: {}", at()));
                        match compiled.run(&[Value::F64(x)]) {
                            Err(Error::Trap(Trap { kind: TrapKind::NotFinite, span })) => {
                                assert_eq!(text[span.start as usize..span.end as usize], **place, "{}", at());
                            }
                            other => assert!(other.is_ok() && place.is_empty(), "{other:?}: {}", at()),
                        }
                    }
                }
            }
        }
    }
}
