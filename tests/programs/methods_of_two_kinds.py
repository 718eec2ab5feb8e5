# entry: f
# args: [1.0, 2.0]
# by: jax
# note: names of methods and fields that lists, dicts and arrays have, too; a class that is not reached
from dataclasses import dataclass

import jax.numpy as jnp


@dataclass(frozen=True)
class Place:
    at: float

    def update(self, v):
        assert v > 0.0
        return Place(self.at + v)


@dataclass(frozen=True)
class Unreached:
    __x__ = open("/dev/null")
    y: float


def unless(x, s):
    return x if not s else 2.0 * x


def f(x):
    n = x.shape[0]
    y = jnp.zeros(3)
    y = y.at[0].set(x[0] * n)
    d = {"a": 1.0}
    d.update({"b": 2.0})
    p = Place(x[1])
    p.update(2.0)
    return jnp.sum(y**2) + p.update(3.0).at * d["b"] * unless(1.0, "") + unless(x[0], "a")
