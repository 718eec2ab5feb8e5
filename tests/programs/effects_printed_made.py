# entry: f
# args: 1.5
# order: 2
# closed: [23 + 2*x]
# note: what is printed by functions that others make, decorate or hold, named like some that print nothing
from dataclasses import dataclass
from typing import Callable


def noisy(f):
    def wrapped(x):
        print("called", x)
        return f(x)

    return wrapped


@noisy
def double(x):
    return x * 2.0


squared = noisy(lambda x: x * x)
alias = double


def shown(x):
    print("shown", x)
    return x


@dataclass(frozen=True)
class Layer:
    w: float

    def __call__(self, x):
        print("layer", x)
        return self.w * x

    def act(self, x):
        return self.w * x


@dataclass(frozen=True)
class Holder:
    act: Callable

    def run(self, x):
        return self.act(x)


@dataclass(frozen=True)
class Traced:
    f: Callable

    def __call__(self, x):
        print("traced", x)
        return self.f(x)


@Traced
def triple(x):
    return x * 3.0


layer = Layer(4.0)
table = {"a": noisy(shown)}


def decorated(x):
    def inner(y):
        return double(y) + triple(y)

    return inner(x)


def named(x):
    double_again = lambda y: shown(y)

    def inner(y):
        return double_again(y) + later(y)

    later = lambda y: shown(y)
    return inner(x)


def quiet(x):
    def double_again(y):
        return y

    def later(y):
        return y

    def squared(y):
        return y

    return double_again(x) + later(x) + squared(x)


def held(x):
    def inner(y):
        return Holder(shown).act(y) + Holder(noisy(shown)).run(y)

    return inner(x) + Layer(2.0).act(x)


def of_file(x):
    def inner(y):
        return squared(y) + alias(y) + layer(y)

    return inner(x) + sum(map(alias, [x])) + table["a"](x)


def f(x):
    return decorated(x) + named(x) + quiet(x) + held(x) + of_file(x)
