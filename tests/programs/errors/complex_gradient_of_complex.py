# entry: f
# args: 2.0
# exit: 2
# message: complex
# line: 11

from gradus import grad


def f(x):
    return grad(lambda t: t * 1j)(x)
