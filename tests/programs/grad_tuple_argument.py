# entry: f
# args: 1.5, 2.0
# note: the gradient with respect to a tuple is a tuple

from gradus import grad


def norm(p):
    a, (b, c) = p
    return (a * a + b * b * b + c) ** 0.5


def f(x, y):
    a, (b, c) = grad(norm)((x, (y, 1.0)))
    return a * b + c
