//! One derivative, whatever the way: at points where local derivatives are infinite, each mode gives one answer, by all strategies,
//! executors and orders of simplification, at orders 1 and 2. The two modes differ there by no more than a NaN.
//!
//! Expressions stand in surroundings, each of which makes another program of them. A run looks at some of all pairs, always the same;
//! with `SINGULAR=all` in the environment at all.

#[path = "common/question.rs"]
#[allow(dead_code, reason = "no values are asked for")]
mod question;
#[path = "common/word.rs"]
#[allow(dead_code, reason = "both strategies are named")]
mod word;

use gradus::{Engine, Mode, Options, Simplify, Source, Type, Value};
use gradus_backend::interp::Interp;
use question::Question;
use std::collections::BTreeMap;
use word::{CLOSURE, FORWARD, STACK, Way, Word};

/// Of all pairs, one in so many is looked at.
const SAMPLE: usize = 47;

/// In `t`.
const EXPRESSIONS: &[&str] = &[
    "math.sqrt(t) * t",
    "math.sqrt(t)",
    "math.sqrt(t * t)",
    "math.sqrt(t) * math.sqrt(t)",
    "math.sqrt(t * t * t)",
    "t / (t + 1.0)",
    "t * t / (t + 1.0) / t",
    "math.log(t + 1.0)",
    "t * np.log(t)",
    "np.log(t * t + 1.0) * math.sqrt(t)",
    "abs(t)",
    "abs(t) ** 2",
    "abs(t) * t",
    "abs(t * t)",
    "max(t, 0.0)",
    "min(t, 0.0) * t",
    "max(t, 0.0) ** 2",
    "t ** 0.5",
    "t ** 1.5",
    "t ** 0.5 * t",
    "(t * t) ** 0.5",
    "t ** 2",
    "t ** 3 + t",
    "math.hypot(t, 0.0)",
    "math.hypot(t, t) ** 2",
    "math.exp(-math.hypot(t, 2.0 * t) ** 2)",
    "math.atan2(t, t)",
    "math.atan2(t, 1.0)",
    "float(np.where(t > 0.0, np.sqrt(t), 0.0))",
    "float(np.where(t > 0.0, t * np.log(t), 0.0))",
    "(math.sqrt(t) if t > 0.0 else t)",
    "np.cbrt(t)",
    "np.cbrt(t) ** 3",
    "math.exp(-math.sqrt(t))",
    "math.asin(t)",
    "math.acos(1.0 - t)",
    "math.sqrt(1.0 - t) * (1.0 - t)",
    "math.sqrt(1.0 - t * t)",
    "math.atanh(t * 0.5)",
    "math.copysign(1.0, t) * t",
    "math.floor(t) * t",
    "np.sign(t) * t",
    "float(np.minimum(t, t * t))",
    "float(np.maximum(t, 1.0)) * math.sqrt(t)",
    "0.0 * math.sqrt(t)",
    "(t - t) * math.sqrt(t)",
    "math.tanh(math.sqrt(t))",
    "math.cos(math.sqrt(t))",
];

/// With `E` for the expression in `t`, and `U` for the one in `u`.
const SURROUNDINGS: &[(&str, &str)] = &[
    ("plain", "def f(t):\n    return E\n"),
    ("loop", "def f(t):\n    s = t\n    for i in range(3):\n        s = s + E\n    return s\n"),
    ("while", "def f(t):\n    s, n = t, 0\n    while n < 3:\n        s, n = s + E * (n + 1.0), n + 1\n    return s\n"),
    ("branch", "def f(t):\n    if t < 5.0:\n        y = E\n    else:\n        y = 2.0 * t\n    return y * 3.0\n"),
    ("closure", "def f(t):\n    def scaled(c):\n        return lambda u: c * (U)\n    return scaled(2.0)(t) + scaled(t)(t)\n"),
    ("recursion", "def r(t, n):\n    if n == 0:\n        return t\n    return r(t, n - 1) + E\ndef f(t):\n    return r(t, 3)\n"),
    ("function", "def h(u):\n    return U\ndef f(t):\n    return h(t) + 2.0 * h(t)\n"),
    ("list", "def f(t):\n    xs = [E, t, 2.0]\n    return xs[0] * xs[1] + xs[0]\n"),
    ("array", "def f(t):\n    a = np.array([E, t])\n    return np.sum(a * a + a)\n"),
    ("where", "def f(t):\n    return float(np.where(t < 5.0, E, t * t))\n"),
    ("gradient", "def h(u):\n    return (U) * u\ndef f(t):\n    return grad(h)(t)\n"),
    (
        "jacfwd",
        "def h(v):\n    u = v[0]\n    return (U) + v[1] ** 2\ndef f(t):\n    return jacfwd(h)(np.array([t, 3.0]))[1] + t\n",
    ),
];

fn program(expression: &str, surrounding: &str) -> String {
    let in_u = words(expression, "t", "u");
    let body = words(&words(surrounding, "E", expression), "U", &in_u);
    format!("import math\nimport numpy as np\nfrom gradus import grad, jacfwd\n\n{body}")
}

/// The text with another word for a word.
fn words(text: &str, word: &str, other: &str) -> String {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let parts = text.split_inclusive(|c| !is_name(c)).map(|part| {
        let name = part.trim_end_matches(|c| !is_name(c));
        if name == word { format!("{other}{}", &part[name.len()..]) } else { part.to_owned() }
    });
    parts.collect()
}

fn floats(v: &Value) -> Vec<f64> {
    match v {
        Value::F64(v) => vec![*v],
        Value::Tuple(items) => items.iter().flat_map(floats).collect(),
        other => panic!("{other} is no float"),
    }
}

/// The answers at both points by one way; the executors give the same bits.
fn answers(text: &str, question: Question, word: &Word, simplify: Simplify) -> Result<Vec<f64>, String> {
    let options = Options { simplify, ..word.options() };
    let program = Engine::new(options).parse(Source::new("singular.py", text));
    let request = question.request(word, &[0]);
    let compiled = program.and_then(|p| p.function("f")).and_then(|f| f.compile(&[Type::F64], &request));
    let compiled = compiled.map_err(|e| e.to_string())?;
    let interp = Interp::new(&compiled.stages().lowered).map_err(|e| e.to_string())?;
    let mut found = Vec::new();
    for x in [0.0, 1.0] {
        let jit = compiled.run(&[Value::F64(x)]).map_err(|e| e.to_string())?;
        let other = interp.run(&[Value::F64(x)]).map_err(|e| e.to_string())?;
        if !jit.same_bits(&other) {
            return Err(format!("the JIT gives {jit}, the interpreter {other}"));
        }
        found.extend(floats(&jit));
    }
    Ok(found)
}

fn close(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// What is wrong with one program, and how many ways were tried.
fn check(text: &str) -> (Vec<String>, usize) {
    let ways: [Way; 3] = [CLOSURE, STACK, FORWARD];
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for (question, order) in [(Question::Gradient, 1), (Question::Second, 2)] {
        let mut by_modes: BTreeMap<String, (String, Vec<f64>)> = BTreeMap::new();
        for word in Word::all(&ways, order) {
            if order == 2 && word.0.contains(&CLOSURE) && word.0.contains(&STACK) {
                continue;
            }
            for simplify in [Simplify::Interleaved, Simplify::AtEnd, Simplify::Off] {
                tried += 1;
                let how = format!("{word}, {simplify:?}");
                match answers(text, question, &word, simplify) {
                    Err(e) => wrong.push(format!("{how}: {e}")),
                    Ok(found) => {
                        let modes = word.modes().iter().map(|m: &Mode| m.name()).collect::<Vec<_>>().join(" ");
                        let (first, expected) = by_modes.entry(modes).or_insert_with(|| (how.clone(), found.clone()));
                        if !found.iter().zip(&*expected).all(|(&a, &b)| close(a, b)) {
                            wrong.push(format!("{how}: {found:?}, but {expected:?} by {first}"));
                        }
                    }
                }
            }
        }
        for (a, (how, found)) in &by_modes {
            for (b, (_, other)) in by_modes.iter().filter(|(b, _)| *b > a) {
                let differs = |(x, y): (&f64, &f64)| x.is_finite() && y.is_finite() && !close(*x, *y);
                if found.iter().zip(other).any(differs) {
                    wrong.push(format!("{a} gives {found:?} by {how}, {b} {other:?}"));
                }
            }
        }
    }
    (wrong, tried)
}

#[test]
fn each_mode_has_one_answer() {
    let all = std::env::var("SINGULAR").is_ok_and(|v| v == "all");
    let (mut wrong, mut programs, mut tried, mut number) = (Vec::new(), 0, 0, 0);
    for expression in EXPRESSIONS {
        for (name, surrounding) in SURROUNDINGS {
            number += 1;
            if !all && number % SAMPLE != 0 {
                continue;
            }
            let (faults, ways) = check(&program(expression, surrounding));
            programs += 1;
            tried += ways;
            wrong.extend(faults.into_iter().map(|fault| format!("{expression} in {name}: {fault}")));
        }
    }
    println!("{programs} programs, {tried} ways, {} faults", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
