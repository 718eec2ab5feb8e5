# entry: f
# args: 2.0
# exit: 2
# message: int
# line: 11, 12

from gradus import grad


def f(x):
    g = grad(lambda n, m: n * m)
    return g(3, 2.0) * x
