//! Other numbers than floats.

use crate::command::{Output, gradus};
use crate::file;
use serde_json::{Value as Json, json};

const NUMBERS: &str = "
import math
def quadratic(x): return x**2 + 3*x + 1
def product(x, y, n): return x * y * n
def energy(x): return (x * x).sum() * 0.1
def pair(x): return x * x, 2
def exponential(x):
    return math.exp(x)
def quotient(x): return 1 / x
";

/// Numbers are compared with what fractions do not have.
const BOUNDED: &str = "
import math
from math import inf
def infinite(x): return 1.0 if math.isinf(x) else x
def missing(x): return 1.0 if math.isnan(x) else x
def finite(x): return x * x if math.isfinite(x) else x
def below(x): return x if x < float('inf') and x > -inf else 0.0
def least(x):
    found = math.inf
    for i in range(3):
        found = min(found, x * i - 1)
        if x * i < found: found = x * i
    return found
def greatest(x): return max(-math.inf, x, -inf)
def beyond(x):
    return x + math.inf
def nothing(x):
    return x * math.nan
";

#[test]
fn infinities() {
    let program = file("command-numbers-bounded.py", BOUNDED);
    for (number, x, value) in [
        ("rational", "2/3", ["2//3", "2//3", "4//9", "2//3", "-1//1", "2//3"]),
        ("big", "0.5", ["0.5", "0.5", "0.25", "0.5", "-1.0", "0.5"]),
        ("measurement", "0.5", ["0.5 ± 0.0", "0.5 ± 0.0", "0.25 ± 0.0", "0.5 ± 0.0", "-1.0 ± 0.0", "0.5 ± 0.0"]),
    ] {
        for (function, value) in ["infinite", "missing", "finite", "below", "least", "greatest"].into_iter().zip(value) {
            let out = gradus(["grad", &program, function, x, "--number", number]);
            assert!(
                out.code == 0 && out.stdout.starts_with(&format!("value     {value}\n")),
                "{number} {function}: {}{}",
                out.stdout,
                out.stderr
            );
        }
    }
    for (function, line, what) in [("beyond", 16, "inf"), ("nothing", 18, "NaN")] {
        let out = gradus(["grad", &program, function, "2/3", "--number", "rational"]);
        let place = format!("command-numbers-bounded.py:{line}:12");
        let said = [&*format!("{what} is no rational number"), &place, "^^^", "--number big"];
        assert!(out.code == 2 && said.iter().all(|part| out.stderr.contains(part)), "{}", out.stderr);
    }
    let out = gradus(["run", &program, "nothing", "2.0", "--number", "measurement"]);
    assert_eq!(out.stdout, "nan ± 0.0\n");
    let out = gradus(["grad", &program, "infinite", "Infinity", "--number", "measurement"]);
    assert_eq!(out.stdout, "value     1.0 ± 0.0\ngradient  0.0 ± 0.0\n");
    for flags in [&["--digits", "30"][..], &["--digits", "30", "--number", "rational"]] {
        let out = gradus([&["run", &*program, "infinite", "2.0"], flags].concat());
        assert!(out.code == 2 && out.stderr.contains("add --number big"), "{}", out.stderr);
    }
}

/// Runs `gradus COMMAND` on the program above.
fn ask_numbers(args: &[&str]) -> Output {
    let program = file(&format!("command-numbers-{:?}.py", std::thread::current().id()), NUMBERS);
    gradus([args[0], &program].into_iter().chain(args[1..].iter().copied()))
}

#[test]
fn other_numbers_than_floats() {
    let text = |args: &[&str]| {
        let out = ask_numbers(args);
        assert_eq!((&*out.stderr, out.code), ("", 0), "{args:?}");
        out.stdout
    };
    let rational = ["--number", "rational"];
    let grad = |args: &[&str]| text(&[&["grad"], args].concat());
    for strategy in ["auto", "closure", "stack"] {
        let args = ["quadratic", "1//3", "--strategy", strategy];
        assert_eq!(grad(&[&args[..], &rational].concat()), "value     19//9\ngradient  11//3\n", "{strategy}");
    }
    assert_eq!(text(&["run", "quadratic", "0.1", "--number", "rational"]), "131//100\n");
    assert_eq!(
        grad(&["quadratic", "\"-1/3\"", "--number", "rational", "--order", "3", "--mode", "forward,reverse"]),
        "value     1//9\norder 1   7//3\norder 2   2//1\norder 3   0//1\n"
    );
    assert_eq!(
        grad(&["product", "1//2", "2/3", "4", "--number", "rational", "--wrt", "1"]),
        "value     4//3\ngradient  (None, 2//1, None)\n"
    );
    assert_eq!(grad(&["energy", "[\"1/3\",2]", "--number", "rational"]), "value     37//90\ngradient  [1//15, 2//5]\n");
    assert_eq!(
        grad(&["pair", "1//3", "--seed", "[\"1/2\",null]", "--number", "rational"]),
        "value     (1//9, 2)\ngradient  1//3\n"
    );
    assert_eq!(
        grad(&["quadratic", "0.33333333±0.01", "--number", "measurement"]),
        "value     2.11 ± 0.04\ngradient  3.67 ± 0.02\n"
    );
    assert_eq!(text(&["run", "exponential", "0.1", "--number", "big"]), "1.1051709180756476248117078264902466682245471947375\n");
    assert_eq!(text(&["run", "exponential", "0.1", "--number", "big", "--digits", "20"]), "1.1051709180756476248\n");
    // A float would not hold this many digits.
    let tenth = "0.10000000000000000000000000000000000000000000000001";
    assert_eq!(text(&["run", "product", tenth, "1.0", "1", "--number", "big"]), format!("{tenth}\n"));
}

#[test]
fn other_numbers_as_json() {
    let answer = |args: &[&str]| {
        let out = ask_numbers(args);
        let answer: Json = serde_json::from_str(&out.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {}", out.stdout));
        (answer, out.code)
    };
    let (found, code) = answer(&["grad", "product", "1//2", "2//3", "4", "--number", "rational", "--json"]);
    assert_eq!((&found["value"], &found["gradient"], code), (&json!("4//3"), &json!(["8//3", "2//1", null]), 0));
    assert_eq!(found["backend"], json!("interp"));
    let (found, _) = answer(&["grad", "quadratic", "3", "--number", "rational", "--json"]);
    assert_eq!((&found["value"], &found["gradient"]), (&json!("19//1"), &json!(["9//1"])));
    let (found, _) = answer(&["grad", "quadratic", "2.5+-0.1", "--number", "measurement", "--json"]);
    assert_eq!((&found["value"], &found["gradient"]), (&json!("14.75 ± 0.8"), &json!(["8.0 ± 0.2"])));
    for (args, code, message) in [
        (&["grad", "exponential", "1//3", "--number", "rational"][..], 2, "`exp` has no value among rational numbers"),
        (&["grad", "quotient", "0.0", "--number", "rational"], 1, "division by zero"),
        (&["run", "quadratic", "1//0", "--number", "rational"], 2, "denominator zero"),
        (&["run", "quadratic", "1//x", "--number", "rational"], 2, "no rational number"),
        (&["run", "quadratic", "2±-1", "--number", "measurement"], 2, "no measurement"),
        (&["run", "quadratic", "0.1.2", "--number", "big"], 2, "no number of many digits"),
        (&["run", "quadratic", "0.1", "--number", "complex"], 2, "complex"),
        (&["run", "quadratic", "0.1", "--number", "big", "--digits", "0"], 2, "--digits"),
        (&["run", "quadratic", "0.1", "--number", "big", "--out", "x.npy"], 2, "--out"),
        (&["run", "quadratic", "1//3"], 2, "not JSON"),
    ] {
        let (found, found_code) = answer(&[args, &["--json"]].concat());
        assert!(found_code == code && found["error"].as_str().is_some_and(|e| e.contains(message)), "{args:?}: {found}");
    }
    let (found, _) = answer(&["grad", "exponential", "1//3", "--number", "rational", "--json"]);
    assert_eq!((&found["line"], &found["column"]), (&json!(8), &json!(12)));
    assert!(found["hint"].as_str().is_some_and(|h| h.contains("--number big")), "{found}");
}
