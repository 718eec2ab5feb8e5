# entry: f
# args: 0.7
# args: 0.4
# note: the state of a fixed point is a dict, or an instance with an array
import math
from dataclasses import dataclass

import numpy as np
from gradus import fixed_point


@dataclass(frozen=True)
class State:
    a: float
    b: np.ndarray


def of_dict(x):
    step = lambda s, p: {"a": math.cos(s["a"]) * p, "b": 0.5 * s["a"] + 0.1 * s["b"]}
    r = fixed_point(step, {"a": 0.5, "b": 0.1}, x, tol=1e-15)
    return r["a"] + r["b"]


def of_class(x):
    r = fixed_point(lambda s, p: State(math.cos(s.a) * p, 0.5 * s.a + 0.1 * s.b), State(0.5, np.zeros(2)), x, tol=1e-15)
    return r.a + np.sum(r.b)


def f(x):
    return of_dict(x) * of_class(x * x)
