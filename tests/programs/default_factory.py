# entry: f
# args: 1.5
# order: 2
# note: what functions make for fields that are not given
from dataclasses import dataclass, field

import numpy as np

K = 2.0


def unit():
    return np.ones(2) * K


@dataclass(frozen=True)
class Model:
    w: float
    scale: np.ndarray = field(default_factory=unit)
    bias: np.ndarray = field(default_factory=lambda: np.array([0.5, -0.25]))
    hidden: list = field(default_factory=list)


def f(x):
    a = Model(x)
    b = Model(2.0 * x, bias=np.array([x, 1.0]), hidden=[x])
    s = (a.w * a.scale * x + a.bias).sum() + (b.w * b.scale + b.bias * x).sum()
    return s + float(len(a.hidden)) + sum(b.hidden)
