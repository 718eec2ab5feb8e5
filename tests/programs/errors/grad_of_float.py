# entry: f
# args: 2.0
# exit: 2
# message: float
# line: 11

from gradus import grad


def f(x):
    return grad(x)(x)
