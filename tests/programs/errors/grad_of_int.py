# entry: f
# args: 2.0
# exit: 2
# message: int
# line: 11

from gradus import grad


def f(x):
    g = grad(lambda n: [1.0, 2.0, 3.0][n])
    return g(1) * x
