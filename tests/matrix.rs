//! Derivatives of derivatives: every kind of program by every strategy and mode at every order up to the third, against closed forms.

#[path = "common/word.rs"]
mod word;

use gradus::{Compiled, Engine, Error, Request, Source, Strategy, Type, Value};
use gradus_backend::interp::Interp;
use rayon::prelude::*;
use word::{AUTO, CLOSURE, FORWARD, OBJECTS, STACK, Way, Word};

/// Of the largest among a value and its derivatives.
const TOLERANCE: f64 = 1e-12;
const ORDERS: usize = 3;

/// A program `f` of a float, and what it is: its value and three derivatives.
struct Program {
    name: &'static str,
    text: &'static str,
    /// On both sides of each branch, with different numbers of trips.
    points: &'static [f64],
    closed: fn(f64) -> [f64; ORDERS + 1],
}

const PROGRAMS: &[Program] = &[
    Program {
        name: "straight line",
        text: "
import math
def f(x):
    y = math.sin(x)
    return y * math.exp(x)
",
        points: &[0.7],
        closed: |x| {
            let (s, c, e) = (x.sin(), x.cos(), x.exp());
            [s * e, (s + c) * e, 2.0 * c * e, 2.0 * (c - s) * e]
        },
    },
    Program {
        name: "checkpoint",
        text: "
import math
from gradus import checkpoint
def f(x):
    again = checkpoint(lambda a: math.sin(a) * a)
    return again(x) * x
",
        points: &[0.7],
        closed: |x| {
            let (s, c) = x.sin_cos();
            let (first, second) = (c * x * x + 2.0 * s * x, (2.0 - x * x) * s + 4.0 * c * x);
            [s * x * x, first, second, (6.0 - x * x) * c - 6.0 * s * x]
        },
    },
    Program {
        name: "custom_vjp",
        text: "
import math
from gradus import custom_vjp
@custom_vjp(lambda y, a: lambda g: (g * math.cos(a),))
def wave(a):
    return math.sin(a)
def f(x):
    return wave(x) * x
",
        points: &[0.7],
        closed: |x| {
            let (s, c) = x.sin_cos();
            [s * x, s + c * x, 2.0 * c - s * x, -3.0 * s - c * x]
        },
    },
    Program {
        name: "if",
        text: "
import math
def f(x):
    if x > 1.0:
        y = x ** 3
    else:
        y = math.exp(2.0 * x)
    return y * x
",
        points: &[0.7, 1.3],
        closed: |x| match x > 1.0 {
            true => [x.powi(4), 4.0 * x.powi(3), 12.0 * x * x, 24.0 * x],
            false => [x, 1.0 + 2.0 * x, 4.0 + 4.0 * x, 12.0 + 8.0 * x].map(|p| p * (2.0 * x).exp()),
        },
    },
    Program {
        name: "early return",
        text: "
import math
def f(x):
    if x < 0.0:
        return -x * x * x
    y = math.sin(x)
    if y > 0.9:
        return y * y
    return y * x
",
        points: &[-0.7, 0.5, 1.3],
        closed: |x| {
            let (s, c) = x.sin_cos();
            match (x < 0.0, s > 0.9) {
                (true, _) => [-x * x * x, -3.0 * x * x, -6.0 * x, -6.0],
                (_, true) => [s * s, (2.0 * x).sin(), 2.0 * (2.0 * x).cos(), -4.0 * (2.0 * x).sin()],
                _ => [s * x, s + x * c, 2.0 * c - x * s, -3.0 * s - x * c],
            }
        },
    },
    Program {
        name: "while",
        text: "
import math
def f(x):
    n = 5
    r = 1.0
    while n > 0:
        n = n - 1
        r = r * x
    return r * math.exp(x)
",
        points: &[1.1],
        closed: |x| {
            let [a, b, c, d] = [x.powi(5), 5.0 * x.powi(4), 20.0 * x.powi(3), 60.0 * x * x];
            [a, a + b, a + 2.0 * b + c, a + 3.0 * b + 3.0 * c + d].map(|p| p * x.exp())
        },
    },
    Program {
        name: "for",
        text: "
def f(x):
    p = 1.0
    for i in range(1, 5):
        p = p * (x + i)
    return p
",
        points: &[0.3],
        closed: |x| {
            [
                (((x + 10.0) * x + 35.0) * x + 50.0) * x + 24.0,
                ((4.0 * x + 30.0) * x + 70.0) * x + 50.0,
                (12.0 * x + 60.0) * x + 70.0,
                24.0 * x + 60.0,
            ]
        },
    },
    Program {
        // After n trips s is n·xⁿ: four of them unless s passes 5.
        name: "nested loops with break",
        text: "
def f(x):
    s = 0.0
    for i in range(4):
        p = 1.0
        for j in range(9):
            if j > i:
                break
            p = p * x
        s = s * x + p
        if s > 5.0:
            break
    return s
",
        points: &[0.8, 1.3, 1.7],
        closed: |x| match x {
            _ if x > 1.6 => [2.0 * x * x, 4.0 * x, 4.0, 0.0],
            _ if x > 1.2 => [3.0 * x.powi(3), 9.0 * x * x, 18.0 * x, 18.0],
            _ => [4.0 * x.powi(4), 16.0 * x.powi(3), 48.0 * x * x, 96.0 * x],
        },
    },
    Program {
        name: "data-dependent trips",
        text: "
import math
def f(x):
    y = x
    while y < 10.0:
        y = y * x
    return y * math.log(x)
",
        points: &[1.7, 2.3],
        closed: |x| {
            let m = if x < 2.0 { 5 } else { 3 };
            let (n, l) = (f64::from(m), x.ln());
            [
                x.powi(m) * l,
                x.powi(m - 1) * (n * l + 1.0),
                x.powi(m - 2) * (n * (n - 1.0) * l + 2.0 * n - 1.0),
                x.powi(m - 3) * (n * (n - 1.0) * (n - 2.0) * l + 3.0 * n * n - 6.0 * n + 2.0),
            ]
        },
    },
    Program {
        name: "recursion",
        text: "
import math
def times(x, n):
    if n == 0:
        return math.sin(x)
    return x * times(x, n - 1)

def f(x):
    return times(x, 4)
",
        points: &[1.1],
        closed: |x| {
            let (s, c) = x.sin_cos();
            let [p, q, r, t] = [x.powi(4), 4.0 * x.powi(3), 12.0 * x * x, 24.0 * x];
            [p * s, q * s + p * c, r * s + 2.0 * q * c - p * s, t * s + 3.0 * r * c - 3.0 * q * s - p * c]
        },
    },
    Program {
        name: "mutual recursion",
        text: "
import math
def even(x, n):
    if n == 0:
        return 1.0
    return x * odd(x, n - 1)

def odd(x, n):
    return math.sin(x) * even(x, n - 1)

def f(x):
    return even(x, 4)
",
        points: &[0.9],
        closed: square_of_x_sin_x,
    },
    Program {
        name: "mutual recursion in tail position",
        text: "
import math
def even(x, n, r):
    if n == 0:
        return r
    return odd(x, n - 1, r * x)

def odd(x, n, r):
    return even(x, n - 1, r * math.sin(x))

def f(x):
    return even(x, 4, 1.0)
",
        points: &[0.9],
        closed: square_of_x_sin_x,
    },
    Program {
        name: "closure",
        text: "
import math
def f(x):
    def scale(y):
        return x * y
    z = scale(scale(x))
    return scale(math.sin(z))
",
        points: &[0.9],
        closed: |x| {
            let (s, c) = x.powi(3).sin_cos();
            [
                x * s,
                s + 3.0 * x.powi(3) * c,
                12.0 * x * x * c - 9.0 * x.powi(5) * s,
                (24.0 * x - 27.0 * x.powi(7)) * c - 81.0 * x.powi(4) * s,
            ]
        },
    },
    Program {
        name: "higher-order function",
        text: "
import math
def twice(g):
    return lambda t: g(g(t))

def f(x):
    return twice(twice(lambda t: t * x))(math.exp(x))
",
        points: &[0.6],
        closed: x_to_the_fourth_times_exp,
    },
    Program {
        name: "functions composed by a loop",
        text: "
import math
def compose(g, h):
    return lambda t: g(h(t))

def f(x):
    h = math.exp
    for i in range(3):
        h = compose(lambda t: t * x, h)
    return h(x) * x
",
        points: &[0.6],
        closed: x_to_the_fourth_times_exp,
    },
    Program {
        name: "functions in tuples",
        text: "
import math
def f(x):
    functions = (lambda t: t * x, lambda t: t + x, math.exp)
    y = x
    for g in functions:
        y = g(y)
    return y
",
        points: &[0.4],
        closed: exp_of_square_plus_x,
    },
    Program {
        name: "functions in tuples, chosen by an index",
        text: "
import math
def f(x):
    functions = (lambda t: t * x, lambda t: t + x, math.exp)
    y = x
    for i in range(3):
        y = functions[i](y)
    return y
",
        points: &[0.4],
        closed: exp_of_square_plus_x,
    },
];

fn square_of_x_sin_x(x: f64) -> [f64; 4] {
    let (s, c) = x.sin_cos();
    let [g, h, k, l] = [x * s, s + x * c, 2.0 * c - x * s, -3.0 * s - x * c];
    [g * g, 2.0 * g * h, 2.0 * h * h + 2.0 * g * k, 6.0 * h * k + 2.0 * g * l]
}

fn x_to_the_fourth_times_exp(x: f64) -> [f64; 4] {
    let [a, b, c, d] = [x.powi(4), 4.0 * x.powi(3), 12.0 * x * x, 24.0 * x];
    [a, a + b, a + 2.0 * b + c, a + 3.0 * b + 3.0 * c + d].map(|p| p * x.exp())
}

fn exp_of_square_plus_x(x: f64) -> [f64; 4] {
    let d = 2.0 * x + 1.0;
    [1.0, d, 2.0 + d * d, 6.0 * d + d.powi(3)].map(|p| p * (x * x + x).exp())
}

fn floats(v: &Value) -> Vec<f64> {
    match v {
        Value::F64(v) => vec![*v],
        Value::Tuple(items) => items.iter().flat_map(floats).collect(),
        _ => Vec::new(),
    }
}

fn compile(text: &str, name: &str, word: &Word, request: &Request) -> Result<std::sync::Arc<Compiled>, Error> {
    let program = Engine::new(word.options()).parse(Source::new("matrix.py", text))?;
    program.function(name)?.compile(&[Type::F64], request)
}

/// Runs it by both executors, which must give the same bits.
fn run(code: &Compiled, x: f64) -> Result<Vec<f64>, String> {
    let args = [Value::F64(x)];
    let jit = code.run(&args).map_err(|e| format!("JIT: {e}"))?;
    let interp = Interp::new(&code.stages().lowered).map_err(|e| format!("interpreter: {e}"))?;
    let interp = interp.run(&args).map_err(|e| format!("interpreter: {e}"))?;
    if jit.same_bits(&interp) { Ok(floats(&jit)) } else { Err(format!("the JIT gives {jit}, the interpreter {interp}")) }
}

/// One cell: a program differentiated by a word.
fn cell(program: &Program, word: &Word) -> Result<(), String> {
    let code = compile(program.text, "f", word, &Request::Orders(0, word.modes())).map_err(|e| e.to_string())?;
    let decided = |strategy| code.report().decisions.iter().any(|d| d.strategy == strategy);
    for (way, strategy) in [(CLOSURE, Strategy::Closure), (STACK, Strategy::Stack)] {
        if word.0.contains(&way) && !decided(strategy) {
            return Err(format!("no function was differentiated by {}: {:?}", strategy.name(), code.report().decisions));
        }
    }
    for &x in program.points {
        let found = run(&code, x)?;
        let expected = &(program.closed)(x)[..=word.0.len()];
        let scale = expected.iter().fold(0.0_f64, |s, v| s.max(v.abs()));
        if found.len() != expected.len() || found.iter().zip(expected).any(|(a, b)| (a - b).abs() > TOLERANCE * scale) {
            return Err(format!("at {x}: {found:?}, not {expected:?}"));
        }
    }
    Ok(())
}

/// The product of programs, orders and ways: {closure, stack, forward} to the power of the order, and `auto`.
#[test]
fn matrix() {
    let words: Vec<Word> = (1..=ORDERS)
        .flat_map(|n| Word::all(&[CLOSURE, STACK, FORWARD], n).into_iter().chain(Word::all(&[AUTO, OBJECTS], n)))
        .collect();
    let cells: Vec<(&Program, &Word)> = PROGRAMS.iter().flat_map(|p| words.iter().map(move |w| (p, w))).collect();
    let check = |&(program, word): &(&Program, &Word)| {
        let fault = cell(program, word).err()?;
        Some(format!("{}, {word}: {fault}", program.name))
    };
    let wrong: Vec<String> = cells.par_iter().filter_map(check).collect();
    assert!(wrong.is_empty(), "{} of {} cells:\n{}", wrong.len(), cells.len(), wrong.join("\n"));
}

/// An operator `D(function, place)` of a program.
fn derivative(way: Way, function: &str, place: &str) -> String {
    match way {
        Way::Forward => format!("jvp({function}, ({place},), (1.0,))[1]"),
        Way::Reverse(_) | Way::Objects => format!("grad({function})({place})"),
    }
}

/// The tangents and cotangents of two derivatives, one inside of the other, do not meet (Siskind and Pearlmutter, "Perturbation
/// confusion and referential transparency", 2005).
#[test]
fn perturbations_are_not_confused() {
    for (inner, at, expected) in [("x + y", 1.0, 1.0), ("x * y", 4.0, 8.0)] {
        for word in Word::all(&[CLOSURE, STACK, FORWARD], 2) {
            let within = derivative(word.0[0], &format!("lambda y: {inner}"), "1.0");
            let outer = derivative(word.0[1], &format!("lambda x: x * {within}"), "x");
            let text = format!("from gradus import grad, jvp\ndef f(x):\n    return {outer}\n");
            let code = compile(&text, "f", &word, &Request::Value).expect("a correct program");
            assert_eq!(run(&code, at), Ok(vec![expected]), "{word} of {text}");
        }
    }
}
