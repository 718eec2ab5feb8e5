# entry: f
# args: 2.0
# args: -2.0
# closed: [6 * x if x > 0 else 2 / x**3]

from gradus import grad


def g(x):
    if x > 0:
        return x * x * x
    return 1.0 / x


def f(x):
    return grad(g)(x)
