//! Data: tuples, records, recursive data, lists and arrays.

use super::Answer::Exact;
use super::Program;
use super::series::Series;

fn one() -> Series {
    Series::constant(1)
}

pub const PROGRAMS: &[Program] = &[
    Program {
        kind: "tuple",
        text: "
def f(x):
    state = (x, (1.0, x * x))
    for i in range(3):
        a, (b, c) = state
        state = (b * x, (c + a, a / (1.0 + x * x)))
    return state[0] + state[1][0] * state[1][1]
",
        points: &[1.5, -0.5],
        answer: Exact(|x| {
            let (mut a, mut b, mut c) = (x, one(), x * x);
            for _ in 0..3 {
                (a, b, c) = (b * x, c + a, a / (one() + x * x));
            }
            a + b * c
        }),
    },
    Program {
        kind: "dataclass",
        text: "
from dataclasses import dataclass
@dataclass(frozen=True)
class Complex:
    re: float
    im: float = 0.0
    def __add__(self, other):
        return Complex(self.re + other.re, self.im + other.im)
    def __mul__(self, other):
        return Complex(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    @property
    def square(self):
        return self.re * self.re + self.im * self.im
def f(x):
    z = Complex(x, 1.0)
    w = Complex(x)
    for i in range(3):
        w = w * z + z
    return w.square / z.square
",
        points: &[0.5, -1.5],
        answer: Exact(|x| {
            let (mut a, mut b) = (x, Series::constant(0));
            for _ in 0..3 {
                (a, b) = (a * x - b + x, a + b * x + one());
            }
            (a * a + b * b) / (x * x + one())
        }),
    },
    Program {
        kind: "dataclass at a join",
        text: "
from dataclasses import dataclass
from typing import Optional
@dataclass(frozen=True)
class Linear:
    slope: float
    def at(self, t):
        return self.slope * t
@dataclass(frozen=True)
class Square:
    factor: float
    shift: float
    def at(self, t):
        return self.factor * t * t + self.shift
def choose(x, n):
    if n == 0:
        return None
    if x > 1.0:
        return Linear(x * x)
    return Square(x, x * n)
def f(x):
    total = 0.0
    for n in range(3):
        s = choose(x + n, n)
        if s is None:
            total = total + x
        else:
            total = total * x + s.at(x)
    return total
",
        points: &[0.5, -0.75],
        answer: Exact(|x| {
            let part = |n: i128| {
                let y = x + Series::constant(n);
                if y.is_above(1) { y * y * x } else { y * x * x + y * Series::constant(n) }
            };
            (x * x + part(1)) * x + part(2)
        }),
    },
    Program {
        kind: "function in a dataclass",
        text: "
from dataclasses import dataclass
from typing import Callable
@dataclass(frozen=True)
class Layer:
    weight: float
    activation: Callable
    def __call__(self, t):
        return self.activation(self.weight * t)
def f(x):
    layers = [Layer(x, lambda t: t * t), Layer(2.0, lambda t: t / (1.0 + x * x)), Layer(x + 1.0, lambda t: t * x)]
    t = x
    for layer in layers:
        t = layer(t)
    return t
",
        points: &[0.5, -1.5],
        answer: Exact(|x| Series::constant(2) * x * x * x * x * x * (x + one()) / (one() + x * x)),
    },
    Program {
        kind: "dict",
        text: "
def step(p, x):
    return {'w': p['w'] * x + p['b'], 'b': p['b'] - x}
def f(x):
    p = {'w': x, 'b': 1.0}
    for i in range(3):
        p = step(p, x)
    return p['w'] * p['b']
",
        points: &[0.5, -1.5],
        answer: Exact(|x| {
            let (mut w, mut b) = (x, one());
            for _ in 0..3 {
                (w, b) = (w * x + b, b - x);
            }
            w * b
        }),
    },
    Program {
        kind: "recursive data",
        text: "
from dataclasses import dataclass
from typing import Optional
@dataclass(frozen=True)
class Cell:
    value: float
    rest: Optional['Cell']
def f(x):
    cells = None
    y = x
    for i in range(4):
        cells = Cell(y, cells)
        y = y * x + 1.0
    total = 1.0
    while cells is not None:
        total = total * x + cells.value
        cells = cells.rest
    return total
",
        points: &[0.5, -1.5],
        answer: Exact(|x| {
            let mut cells = vec![x];
            for i in 0..3 {
                cells.push(cells[i] * x + one());
            }
            cells.iter().rev().fold(one(), |total, &value| total * x + value)
        }),
    },
    Program {
        kind: "recursive data, by recursion",
        text: "
from dataclasses import dataclass
from typing import Optional
@dataclass(frozen=True)
class Tree:
    left: Optional['Tree']
    value: float
    right: Optional['Tree']
def grow(x, n):
    if n == 0:
        return None
    return Tree(grow(x * x, n - 1), x, grow(x + 1.0, n - 1))
def total(tree, x):
    if tree is None:
        return x
    return total(tree.left, x) * tree.value + total(tree.right, x)
def f(x):
    return total(grow(x, 2), x)
",
        points: &[0.5, -1.5],
        answer: Exact(|x| {
            fn total(value: Series, n: usize, x: Series) -> Series {
                match n {
                    0 => x,
                    _ => total(value * value, n - 1, x) * value + total(value + one(), n - 1, x),
                }
            }
            total(x, 2, x)
        }),
    },
    Program {
        kind: "recursive data of several classes",
        text: "
from dataclasses import dataclass
@dataclass(frozen=True)
class Leaf:
    value: float
@dataclass(frozen=True)
class Scaled:
    factor: float
    of: 'Leaf | Scaled'
def evaluate(e, x):
    if isinstance(e, Leaf):
        return e.value
    return evaluate(e.of, x) * e.factor + x
def f(x):
    return evaluate(Scaled(x, Scaled(x * x, Leaf(3.0))), x)
",
        points: &[0.5, -1.5],
        answer: Exact(|x| (Series::constant(3) * x * x + x) * x + x),
    },
    Program {
        kind: "list",
        text: "
def f(x):
    terms = [x, 1.0]
    for i in range(3):
        terms.append(terms[i] * x + terms[i + 1] * i)
    total = 0.0
    for i, term in enumerate(reversed([t * t for t in terms])):
        total = total * x + term
    return total
",
        points: &[0.5, -1.5],
        answer: Exact(|x| {
            let mut terms = vec![x, one()];
            for i in 0..3 {
                terms.push(terms[i] * x + terms[i + 1] * Series::constant(i as i128));
            }
            terms.iter().rev().fold(Series::constant(0), |total, &t| total * x + t * t)
        }),
    },
    Program {
        kind: "list whose length the run decides",
        text: "
def f(x):
    terms = [x]
    while terms[-1] <= 3.0:
        terms.append(terms[-1] * 2.0)
    total = 0.0
    for term in terms:
        total = total * x + term
    return total
",
        points: &[0.5, 2.0],
        answer: Exact(|x| {
            let mut terms = vec![x];
            while !terms[terms.len() - 1].is_above(3) {
                terms.push(terms[terms.len() - 1] * Series::constant(2));
            }
            terms.iter().fold(Series::constant(0), |total, &t| total * x + t)
        }),
    },
    Program {
        kind: "array element loop",
        text: "
import numpy as np
def f(x):
    a = np.array([x, 2.0, x * x, 1.0 / x])
    total = 1.0
    for i in range(4):
        total = total * a[i] + a[3 - i]
    return total
",
        points: &[0.5, -1.5],
        answer: Exact(|x| {
            let a = [x, Series::constant(2), x * x, one() / x];
            (0..4).fold(one(), |total, i| total * a[i] + a[3 - i])
        }),
    },
    Program {
        kind: "array update in place",
        text: "
import numpy as np
def f(x):
    a = np.zeros(4)
    a[0] = x
    for i in range(1, 4):
        a[i] = a[i - 1] * x + i
        a[i - 1] *= a[i]
    return np.sum(a * a)
",
        points: &[0.5, -1.5],
        answer: Exact(|x| {
            let mut a = [x; 4];
            for i in 1..4 {
                a[i] = a[i - 1] * x + Series::constant(i as i128);
                a[i - 1] = a[i - 1] * a[i];
            }
            a.into_iter().fold(Series::constant(0), |total, v| total + v * v)
        }),
    },
    Program {
        kind: "array operations",
        text: "
import numpy as np
def f(x):
    a = np.arange(4) * x + 1.0
    for i in range(2):
        a = a * a[::-1] + x
    return np.dot(a, a) / np.sum(a)
",
        points: &[0.5, 1.5],
        answer: Exact(|x| {
            let mut a: [Series; 4] = std::array::from_fn(|i| Series::constant(i as i128) * x + one());
            for _ in 0..2 {
                a = std::array::from_fn(|i| a[i] * a[3 - i] + x);
            }
            let sum = |f: fn(Series) -> Series| a.into_iter().map(f).fold(Series::constant(0), |s, v| s + v);
            sum(|v| v * v) / sum(|v| v)
        }),
    },
];
