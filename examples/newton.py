# A square root by Newton's method. `root` takes any function and makes its derivative itself, with `grad` inside of the program;
# the number of steps depends on the data; and the whole can be differentiated again, through the loop and through `grad`.
# The gradient is 1 / (2 * sqrt(2)).
#
#   $ gradus grad examples/newton.py sqrt 2.0
#   value     1.4142135623730951
#   gradient  0.3535533905932737

from gradus import grad


def root(f, x):
    df = grad(f)
    while abs(f(x)) > 1e-12:
        x = x - f(x) / df(x)
    return x


def sqrt(a):
    return root(lambda x: x * x - a, 1.0)
