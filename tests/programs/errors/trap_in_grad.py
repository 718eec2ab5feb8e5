# entry: f
# args: 2.0, 0
# exit: 1
# message: integer division by zero
# line: 12
# note: the trap belongs to the line of the function that is differentiated

from gradus import grad


def g(x, n):
    return x * x * (10 // n)


def f(x, n):
    return grad(g)(x, n)
