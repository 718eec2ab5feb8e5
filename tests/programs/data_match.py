# entry: f
# args: 1.5
# args: 0.5
# note: `match` with literals, classes, sequences, dicts, alternatives, captures and guards
import math
from dataclasses import dataclass
from typing import Union


@dataclass(frozen=True)
class Num:
    value: float


@dataclass(frozen=True)
class Add:
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True)
class Mul:
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True)
class Sin:
    inner: "Expr"


Expr = Union[Num, Add, Mul, Sin]


def evaluated(e, depth):
    match e:
        case Num(v):
            return v
        case Add(a, right=b):
            return evaluated(a, depth + 1) + evaluated(b, depth + 1)
        case Mul(Num(0.0), _) | Mul(_, Num(0.0)):
            return 0.0
        case Mul(a, b):
            return evaluated(a, depth + 1) * evaluated(b, depth + 1)
        case Sin(inner=Num(v)) if v > 1.0:
            return math.sin(v) + depth
        case Sin(inner):
            return math.sin(evaluated(inner, depth + 1))


def scaled(x, mode):
    match mode:
        case "linear":
            k = x
        case "square" | "quadratic":
            k = x * x
        case _:
            k = 1.0
    match (x, k, 3):
        case (a, b):
            return a * b
        case (a, *rest):
            return a * rest[0] + rest[1]


def chosen(x):
    n = 2 if x > 1.0 else 3
    match n:
        case 1:
            y = x
        case 2 | 4:
            y = x * x
        case m if m > 5:
            y = 0.0
        case True:
            y = 1.0
        case None:
            y = 2.0
        case m:
            y = m * x
    return y


def of_parts(d):
    match d:
        case {"c": c}:
            return c
        case {"a": a, "b": (b, int(n))}:
            return a * b + n


def f(x):
    e = Add(Mul(Num(x), Sin(Num(x * x))), Mul(Num(0.0), Sin(Add(Num(x), Num(2.0)))))
    others = scaled(x, "linear") * scaled(x, "quadratic") + scaled(x, "none")
    return evaluated(e, 1) + others * chosen(x) + of_parts({"a": x, "b": (x, 2)})
