# entry: f
# args: 1.25
# order: 2
# note: tangents of instances in a list
from dataclasses import dataclass
from gradus import grad, jvp


@dataclass(frozen=True)
class Branch:
    value: float
    others: list["Branch"]


def product(b):
    p = b.value
    for other in b.others:
        p = p * product(other) + other.value
    return p


def f(x):
    b = Branch(x, [Branch(0.5, []), Branch(x, [Branch(2.0, [])])])
    _, branch = jvp(product, (b,), (grad(product)(b),))
    return branch
