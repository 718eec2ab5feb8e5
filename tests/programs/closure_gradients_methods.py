# entry: f
# args: 1.5
# args: -0.5
# order: 2
# note: cotangents of bound methods, partial applications, and instances that hold closures
import math
from dataclasses import dataclass
from functools import partial
from typing import Callable
from gradus import grad, vjp


@dataclass(frozen=True)
class Layer:
    w: float
    act: Callable

    def area(self, y, scale=2.0):
        return self.act(self.w * y) * scale

    def __call__(self, y):
        return self.act(self.w + y)


def call(g, y):
    return g(y)


def f(x):
    layer = Layer(x * x, lambda y: math.sin(y * x))
    dm, dy = vjp(lambda g, y: g(y, scale=3.0), layer.area, x)[1](1.0)
    total = dm.__self__.w * dm.__self__.act.x + dy
    dl = grad(call)(layer, x)
    total = total + dl.w * dl.act.x
    dp, dy = vjp(call, partial(lambda a, b, c: a * b * math.exp(c * x), x, c=0.5 * x), x)[1](1.0)
    total = total + dp.args[0] * dp.keywords["c"] + dp.func.x + dy
    dq = grad(call)(partial(layer.area, scale=x), x)
    return total + dq.func.__self__.w * dq.keywords["scale"]
