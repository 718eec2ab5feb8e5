# entry: total
# args: 0.7
# args: 1.5
# note: defaults of functions and fields that the top level computes
import math
from dataclasses import dataclass

import numpy as np

K = 3.0 * 2
T = np.array([1.0, 2.0])


def square(x):
    return x * x


def g(x, w=K * 2, z=-1.0, u=(1.0, K), v=[1.0, 2.0], h=square, p=2 * math.pi, t=T, q=lambda x: x + 1.0):
    return x * w + z + u[1] * v[1] + h(x) * p + t[1] + q(x)


@dataclass(frozen=True)
class Model:
    a: float = K + 1.0
    b: tuple = (K, 2.0)

    def at(self, x, scale=K / 4):
        return self.a * x * scale + self.b[0]


def last(x, y=math.sqrt(K)):
    return x * x * y


def total(x: float) -> float:
    return g(x) + g(x, 2.0, t=T * 2) + Model(b=(x,)).at(x) + Model().b[0] * x + last(x) + last(x, K)
