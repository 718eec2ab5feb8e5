# The square of a number and, by differentiation, its double.

from gradus import grad


def square(x):
    return x * x


def double(x):
    return grad(square)(x)
