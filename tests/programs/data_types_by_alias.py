# entry: f
# args: 1.5
# args: -0.5
# note: classes that mention each other by a name for their union only, before it is there; `isinstance` of such names
from dataclasses import dataclass
from typing import Optional, Union


@dataclass(frozen=True)
class Const:
    value: float


@dataclass(frozen=True)
class Var:
    name: str


@dataclass(frozen=True)
class Mul:
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True)
class Sin:
    of: "Expr"


Leaf = Const | Var
Expr = Union[Leaf, Mul, Sin]
Maybe = Optional[Mul]


def simplify(e):
    if isinstance(e, Mul):
        l, r = simplify(e.left), simplify(e.right)
        if isinstance(l, Const) and l.value == 1.0:
            return r
        if isinstance(l, Const) and l.value == 0.0 or isinstance(r, Const) and r.value == 0.0:
            return Const(0.0)
        return Mul(l, r)
    if isinstance(e, Sin):
        return Sin(simplify(e.of))
    return e


def size(e):
    if isinstance(e, Leaf):
        return 1
    return 1 + (size(e.left) + size(e.right) if isinstance(e, Maybe) else size(e.of))


def value(e, x):
    match e:
        case Const(value=v):
            return v
        case Var():
            return x
        case Mul(l, r):
            return value(l, x) * value(r, x)
        case Sin(of):
            u = value(of, x)
            return u - u**3 / 6.0


def f(x):
    e = Mul(Mul(Const(1.0), Sin(Mul(Const(x), Var("x")))), Mul(Var("x"), Mul(Const(1.0), Const(2.0))))
    short = simplify(e)
    return value(e, x) + size(short) * value(short, x)
