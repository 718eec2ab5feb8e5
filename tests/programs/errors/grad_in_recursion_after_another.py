# entry: main
# args: 1.5, 2
# exit: 2
# message: the derivative of `f` needs the derivative of itself
# line: 18
# note: the function that asks for its own derivative is named, not the one that is asked for before it

from gradus import grad


def g(x, n):
    return x * f(x, n)


def f(x, n):
    if n <= 0:
        return x
    return grad(f)(x, n - 1)


def main(x, n):
    return grad(g)(x, n)
