# The saddle point of x·x - y·y, for x and y in the plane: x minimises the largest value over y, both by gradient descent from the
# same start, so derivatives are nested. The first letter of a function is the mode of the derivatives of the outer descent,
# reverse or forward, the second that of the inner one.

import math
import numpy as np
from gradus import grad, jacfwd


def f(x, y):
    return (x[0] ** 2 + x[1] ** 2) - (y[0] ** 2 + y[1] ** 2)


def length(v):
    return math.sqrt(v[0] ** 2 + v[1] ** 2)


def argmin(f, slope, x):
    value, derivative = f(x), slope(x)
    rate, successes = 1e-5, 0
    while length(derivative) > 1e-5:
        if successes == 10:
            rate, successes = 2.0 * rate, 0
        new = x - rate * derivative
        if length(new - x) <= 1e-5:
            return x
        new_value = f(new)
        if new_value < value:
            x, value, derivative = new, new_value, slope(new)
            successes += 1
        else:
            rate, successes = rate / 2.0, 0
    return x


def argmax(f, slope, x):
    return argmin(lambda x: -f(x), lambda x: -slope(x), x)


def saddle(outer, inner, start):
    def highest(x):
        g = lambda y: f(x, y)
        return argmax(g, inner(g), start)

    def largest(x):
        return f(x, highest(x))

    x = argmin(largest, outer(largest), start)
    return np.concatenate([x, highest(x)])


def rr(start):
    return saddle(grad, grad, start)


def rf(start):
    return saddle(grad, jacfwd, start)


def fr(start):
    return saddle(jacfwd, grad, start)


def ff(start):
    return saddle(jacfwd, jacfwd, start)
