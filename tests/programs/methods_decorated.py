# entry: f
# args: 0.5
# args: 1.25
# order: 2
# note: decorators of methods that are functions
import functools
import math
from dataclasses import dataclass

from gradus import checkpoint, custom_jvp, custom_vjp


def logged(function):
    def told(self, x):
        print("called with", x > 0.0)
        return function(self, x)

    return told


def cube_rule(primals, tangents):
    return primals[0] ** 3, 3.0 * primals[0] ** 2 * tangents[0]


class Layer:
    def __init__(self, weight):
        self.weight = weight

    @checkpoint
    def __call__(self, x, slope=2.0, *more, shift=0.0, **named):
        return math.tanh(self.weight * x) * slope + shift + sum(more) + named.get("last", 0.0)

    @functools.cached_property
    def norm(self):
        return self.weight * self.weight

    @functools.lru_cache(maxsize=None)
    def cached(self, x):
        return x * self.weight

    @logged
    def told(self, x):
        return x * x * self.weight

    @staticmethod
    @custom_vjp(lambda y, a: lambda g: (2.0 * g * a,))
    def square(a):
        return a * a


@dataclass(frozen=True)
class Rules:
    scale: float

    @staticmethod
    @custom_jvp(cube_rule)
    def cube(a):
        return a**3

    @custom_vjp(lambda y, self, x: lambda g: (Rules(g * x), g * self.scale))
    def product(self, x):
        return self.scale * x


def f(x):
    layer = Layer(x)
    total = layer(0.5) + layer(x, 3.0) * layer(x, 1.0, x, 2.0, shift=x, last=x * x)
    total += layer.norm + layer.cached(x) + layer.told(x) + Layer.square(x) * layer.square(3.0)
    return total + Rules(x).product(x * x) + Rules.cube(x)
