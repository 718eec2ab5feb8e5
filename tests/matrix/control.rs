//! Control flow, functions and rules.

use super::Answer::Closed;
use super::Program;

pub const PROGRAMS: &[Program] = &[
    Program {
        kind: "straight line",
        text: "
import math
def f(x):
    y = math.sin(x)
    return y * math.exp(x)
",
        points: &[0.7],
        answer: Closed(|x| {
            let (s, c, e) = (x.sin(), x.cos(), x.exp());
            [s * e, (s + c) * e, 2.0 * c * e, 2.0 * (c - s) * e]
        }),
    },
    Program {
        kind: "checkpoint",
        text: "
import math
from gradus import checkpoint
def f(x):
    again = checkpoint(lambda a: math.sin(a) * a)
    return again(x) * x
",
        points: &[0.7],
        answer: Closed(|x| {
            let (s, c) = x.sin_cos();
            let (first, second) = (c * x * x + 2.0 * s * x, (2.0 - x * x) * s + 4.0 * c * x);
            [s * x * x, first, second, (6.0 - x * x) * c - 6.0 * s * x]
        }),
    },
    Program {
        kind: "custom_vjp",
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
        answer: Closed(|x| {
            let (s, c) = x.sin_cos();
            [s * x, s + c * x, 2.0 * c - s * x, -3.0 * s - c * x]
        }),
    },
    Program {
        kind: "custom_jvp, whose rule calls the function",
        text: "
import math
from gradus import custom_jvp
def pushed(args, tangents):
    y = growth(args[0])
    return y, y * tangents[0]
@custom_jvp(pushed)
def growth(a):
    return math.exp(a)
def f(x):
    return growth(x) * x
",
        points: &[0.7],
        answer: Closed(|x| [x, x + 1.0, x + 2.0, x + 3.0].map(|p| p * x.exp())),
    },
    Program {
        kind: "if",
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
        answer: Closed(|x| match x > 1.0 {
            true => [x.powi(4), 4.0 * x.powi(3), 12.0 * x * x, 24.0 * x],
            false => [x, 1.0 + 2.0 * x, 4.0 + 4.0 * x, 12.0 + 8.0 * x].map(|p| p * (2.0 * x).exp()),
        }),
    },
    Program {
        kind: "early return",
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
        answer: Closed(|x| {
            let (s, c) = x.sin_cos();
            match (x < 0.0, s > 0.9) {
                (true, _) => [-x * x * x, -3.0 * x * x, -6.0 * x, -6.0],
                (_, true) => [s * s, (2.0 * x).sin(), 2.0 * (2.0 * x).cos(), -4.0 * (2.0 * x).sin()],
                _ => [s * x, s + x * c, 2.0 * c - x * s, -3.0 * s - x * c],
            }
        }),
    },
    Program {
        kind: "while",
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
        answer: Closed(|x| {
            let [a, b, c, d] = [x.powi(5), 5.0 * x.powi(4), 20.0 * x.powi(3), 60.0 * x * x];
            [a, a + b, a + 2.0 * b + c, a + 3.0 * b + 3.0 * c + d].map(|p| p * x.exp())
        }),
    },
    Program {
        kind: "for",
        text: "
def f(x):
    p = 1.0
    for i in range(1, 5):
        p = p * (x + i)
    return p
",
        points: &[0.3],
        answer: Closed(|x| {
            [
                (((x + 10.0) * x + 35.0) * x + 50.0) * x + 24.0,
                ((4.0 * x + 30.0) * x + 70.0) * x + 50.0,
                (12.0 * x + 60.0) * x + 70.0,
                24.0 * x + 60.0,
            ]
        }),
    },
    Program {
        // After n trips s is n·xⁿ: four of them unless s passes 5.
        kind: "nested loops with break",
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
        answer: Closed(|x| match x {
            _ if x > 1.6 => [2.0 * x * x, 4.0 * x, 4.0, 0.0],
            _ if x > 1.2 => [3.0 * x.powi(3), 9.0 * x * x, 18.0 * x, 18.0],
            _ => [4.0 * x.powi(4), 16.0 * x.powi(3), 48.0 * x * x, 96.0 * x],
        }),
    },
    Program {
        kind: "data-dependent trips",
        text: "
import math
def f(x):
    y = x
    while y < 10.0:
        y = y * x
    return y * math.log(x)
",
        points: &[1.7, 2.3],
        answer: Closed(|x| {
            let m = if x < 2.0 { 5 } else { 3 };
            let (n, l) = (f64::from(m), x.ln());
            [
                x.powi(m) * l,
                x.powi(m - 1) * (n * l + 1.0),
                x.powi(m - 2) * (n * (n - 1.0) * l + 2.0 * n - 1.0),
                x.powi(m - 3) * (n * (n - 1.0) * (n - 2.0) * l + 3.0 * n * n - 6.0 * n + 2.0),
            ]
        }),
    },
    Program {
        kind: "recursion",
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
        answer: Closed(|x| {
            let (s, c) = x.sin_cos();
            let [p, q, r, t] = [x.powi(4), 4.0 * x.powi(3), 12.0 * x * x, 24.0 * x];
            [p * s, q * s + p * c, r * s + 2.0 * q * c - p * s, t * s + 3.0 * r * c - 3.0 * q * s - p * c]
        }),
    },
    Program {
        kind: "mutual recursion",
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
        answer: Closed(square_of_x_sin_x),
    },
    Program {
        kind: "mutual recursion in tail position",
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
        answer: Closed(square_of_x_sin_x),
    },
    Program {
        kind: "closure",
        text: "
import math
def f(x):
    def scale(y):
        return x * y
    z = scale(scale(x))
    return scale(math.sin(z))
",
        points: &[0.9],
        answer: Closed(|x| {
            let (s, c) = x.powi(3).sin_cos();
            [
                x * s,
                s + 3.0 * x.powi(3) * c,
                12.0 * x * x * c - 9.0 * x.powi(5) * s,
                (24.0 * x - 27.0 * x.powi(7)) * c - 81.0 * x.powi(4) * s,
            ]
        }),
    },
    Program {
        kind: "higher-order function",
        text: "
import math
def twice(g):
    return lambda t: g(g(t))

def f(x):
    return twice(twice(lambda t: t * x))(math.exp(x))
",
        points: &[0.6],
        answer: Closed(x_to_the_fourth_times_exp),
    },
    Program {
        kind: "functions composed by a loop",
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
        answer: Closed(x_to_the_fourth_times_exp),
    },
    Program {
        kind: "functions in tuples",
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
        answer: Closed(exp_of_square_plus_x),
    },
    Program {
        kind: "functions in tuples, chosen by an index",
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
        answer: Closed(exp_of_square_plus_x),
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
