# entry: f
# args: 0.7
# note: variables of classes by instances, subclasses and other names; defaults and arguments of `partial` that call functions
from functools import partial

from gradus import grad

k = 1.0


def current():
    return k


def scaled(x, by=current()):
    return by * x


class Rate:
    n = current()

    def __init__(self, v=current()):
        self.v = v


def power(m, x):
    return x**m


twice = partial(power, current() + 1.0)
slope = grad(partial(power, current() + 2.0))
k = -5.0


class Base:
    registry = []
    level = 1.0
    items = [1.0]


class Derived(Base):
    pass


class Settings:
    step = 1.0


Settings.step = 3.0
Other = Base
Other.level = 7.0
Derived.registry.append(7.0)
shared = Base()
shared.items.append(5.0)


def f(x):
    total = scaled(x) + Rate.n * x + Rate().v + twice(x) + slope(x)
    return total + Settings.step * x + Derived.level + sum(Base.registry) * x + sum(Base.items) * x
