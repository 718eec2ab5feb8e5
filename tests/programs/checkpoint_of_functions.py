# entry: f
# args: 0.7
# note: what a `checkpoint` is given may hold functions that capture floats, or that the run chooses; instances are functions to it
import math
from dataclasses import dataclass
from typing import Callable
from gradus import checkpoint, checkpoint_loop, fixed_point, grad


@dataclass(frozen=True)
class Held:
    f: Callable
    c: float


@dataclass(frozen=True)
class Wave:
    w: float

    def __call__(self, a):
        return math.sin(a * self.w)


@dataclass(frozen=True)
class Step:
    w: float

    def __call__(self, i, s):
        return math.sin(s * self.w) + 0.1 * i


def captured(x):
    return checkpoint(lambda a, f: f(a))(x, lambda q: q * x)


def chosen(x):
    return checkpoint(lambda a, f: f(a))(x, math.sin if x > 0.5 else math.cos)


def in_field(x):
    return checkpoint(lambda h: h.f(h.c))(Held(lambda q: q * x, x))


def in_state(x):
    return checkpoint_loop(lambda i, s: (s[0], s[0](s[1])), 2, (lambda q: q * x, x), 1)[1]


def differentiated(x):
    r = checkpoint(lambda a, f: f(a) * a)
    return grad(lambda a: r(a, lambda q: q * x * a))(x)


def instances(x):
    return checkpoint(Wave(x))(x) + checkpoint_loop(Step(x), 3, x, 2) + fixed_point(Step(0.3), 0.0, x)


def f(x):
    return captured(x) + chosen(x) * in_field(x) + in_state(x) + differentiated(x) * instances(x)
