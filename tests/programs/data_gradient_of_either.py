# entry: f
# args: 0.7
# args: 3.5
# note: derivatives in a program with respect to what is one of two classes, and cotangents and tangents of it

from dataclasses import dataclass
from typing import Union

import numpy as np

from gradus import grad, hook, jvp, vjp


@dataclass(frozen=True)
class Leaf:
    v: float


@dataclass(frozen=True)
class Node:
    left: Union[Leaf, "Node"]
    w: np.ndarray


@dataclass(frozen=True)
class Circle:
    r: float


@dataclass(frozen=True)
class Box:
    a: float
    b: float


def area(s):
    return 3.0 * s.r * s.r if isinstance(s, Circle) else s.a * s.b


def pick(x):
    return Circle(x) if x > 3.0 else Box(x, x * x)


def value(t, x):
    if isinstance(t, Leaf):
        return t.v * t.v * x
    return value(t.left, x) * t.w[0]


def grow(k, x):
    return Leaf(x) if k == 0 else Node(grow(k - 1, x * 0.5), np.array([x, 0.3]))


def f(x):
    a = area(grad(area)(pick(x)))
    b = area(jvp(pick, (x,), (x,))[1])
    c = area(vjp(area, pick(x))[1](2.0)[0])
    d = vjp(pick, x)[1](pick(x))[0]
    e = area(hook(lambda g: g, pick(x)))
    g = grad(lambda t: value(t, x))(grow(2, x))
    h = jvp(lambda t: value(t, x), (grow(2, x),), (grow(2, 1.0),))[1]
    s = pick(x)
    tangent = jvp(lambda c: c.r * c.r, (Circle(x),), (s,))[1] if isinstance(s, Circle) else 0.0
    return a + b + c + d + e + value(g, x) + g.w[0] + h + tangent
