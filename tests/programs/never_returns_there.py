# entry: f
# args: 1.5, 0
# args: -0.5, 0
# order: 2
# note: a call that can only fail is of no type, and fits wherever it stands
from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    value: float


def lookup(key, env):
    for name, value in env:
        if name == key:
            return value
    raise KeyError("unbound")


def pair(e, env):
    if e[0] > 100.0:
        return lookup(1, env)
    return e


def number(e, env):
    found = lookup(2, env) if e.value > 100.0 else e
    return found


def f(x, n):
    return pair((x, x * x), [])[1] * number(Number(x), []).value
