# entry: f
# args: 0.4, 3
# exit: 2
# message: without bound
# line: 14
# note: the gradient of itself, one level down

from gradus import grad


def f(x, n):
    if n == 0:
        return x**4 + 0.5 * x * x
    return 0.1 * grad(f)(x, n - 1) + x * x * x
