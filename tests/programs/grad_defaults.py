# entry: f
# args: 1.5
# closed: [0.75 * 2 + 2.0 * 4 + 4.0]
# note: default and keyword arguments of a differentiated function

from gradus import grad


def g(x, a=0.75, n=2):
    return a * x**n


def f(x):
    return grad(g)(x) + grad(g)(x, n=2, a=2.0) * 2.0 + grad(g, "a")(2.0, a=x) * 0.0 + grad(g)(x=x, a=2.0)
