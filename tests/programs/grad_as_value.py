# entry: f
# args: 0.7
# note: gradients are functions like any other: in tuples, as arguments, as results

import math
from gradus import grad


def apply(g, x):
    return g(x)


def derivatives(g):
    return g, grad(g), grad(grad(g))


def f(x):
    total = 0.0
    for d in derivatives(math.tanh):
        total = total * 2.0 + apply(d, x)
    return total
