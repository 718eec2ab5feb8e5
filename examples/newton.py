# A square root by Newton's method. `root` takes any function and makes its derivative itself, with `grad` inside of the program;
# the number of steps depends on the data; and the whole can be differentiated again, through the loop and through `grad`.
#
#   $ gradus grad examples/newton.py sqrt 2.0
#
# gives 1.4142135623730951 and the gradient 0.3535533905932738, which is 1 / (2 * sqrt(2)).

from gradus import grad


def root(f, x):
    df = grad(f)
    while abs(f(x)) > 1e-12:
        x = x - f(x) / df(x)
    return x


def sqrt(a):
    return root(lambda x: x * x - a, 1.0)
