# entry: f
# args: 0.7
# note: what Zygote's own tests go through: boxes, globals, structs, varargs, dicts, recursion, nested derivatives, stacks
import math
from dataclasses import dataclass
from typing import Callable, NamedTuple
import numpy as np
from gradus import Box, grad

RATE = 3.0
table = (1.0, 2.0, 3.0)


def power_counting_down(x, n):
    r = 1
    while n > 0:
        n -= 1
        r *= x
    return r


def power_in_box(x, n):
    r = Box(1.0)
    while n > 0:
        n -= 1
        r.set(r.get() * x)
    return r.get()


def first_of(x, *rest):
    return x


def is_same(x, *rest):
    return 1.0 if (x,) == rest else 0.0


def product_by_name(*, a=1.0, b):
    return a * b


def product_of(xs):
    s = 1
    for x in xs:
        s *= x
    return s


def in_dict(x):
    d = {}
    d["x"] = x
    d["y"] = d["x"] * 2.0
    return x * d["x"] + d["y"]


def recursive(x, n):
    return 1 if n == 0 else x * recursive(x, n - 1)


def D(f):
    return lambda x: grad(f)(x)


@dataclass(frozen=True)
class Layer:
    w: np.ndarray
    act: Callable = math.sin
    def __call__(self, x):
        return np.sum(np.sin(self.w @ x))


@dataclass(frozen=True)
class Foo:
    a: float
    b: float


def checked(x):
    if x < 0:
        raise ValueError("foo")
    return x * 5


def three_ways(x):
    if x > 0:
        x *= 2
    elif x < 0:
        x *= 3
    return x


def stack(x):
    s = []
    s.append(x)
    s.append(x * x)
    return s.pop() * s.pop()


class Pair(NamedTuple):
    first: float
    second: float


def swapped(p):
    return Pair(p.second, p.first)


def apply_n(f, x, n):
    for _ in range(n):
        x = f(x)
    return x


def compose(*fs):
    def composed(x):
        for f in fs:
            x = f(x)
        return x
    return composed


def gen(n):
    def g(x):
        return x ** n
    return g


def find_root(f, x):
    while abs(f(x)) > 1e-12:
        x = x - f(x) / grad(f)(x)
    return x


def through_ternary(x):
    return (lambda: x) if x > 0.0 else (lambda: -x)


def f(x):
    t = power_counting_down(x, 3) + power_in_box(x, 3) + first_of(x) + first_of(x, 1.0, 2.0) + is_same(x, x)
    t = t + product_by_name(b=x, a=x) + product_of((x, 2.0, x)) + product_of(np.array([x, 2.0])) + in_dict(x) + recursive(x, 4)
    t = t + D(lambda y: D(math.sin)(y) * RATE)(x) + x * D(lambda y: x * y)(4.0)
    t = t + Layer(np.array([[x, 1.0], [0.0, x]]))(np.array([1.0, x])) + [Foo(x, 1.0)][0].a * Foo(1.0, x).b
    t = t + checked(x) + three_ways(x) * three_ways(-x) + stack(x)
    t = t + sum((x, x * x, 3.0)[:2]) + swapped(Pair(x, 2.0)).first + table[1] * x
    t = t + apply_n(lambda v: v * x + 1.0, x, 3) + compose(math.sin, gen(2), lambda v: v + x)(x)
    t = t + find_root(lambda v: v * v - x, x + 1.0) + through_ternary(x)()
    return t
