# entry: f
# args: 1.5
# order: 2
# note: second derivatives of a function that prints
from gradus import hessian, hvp


def noisy(x):
    print("at", x)
    assert x > 0.0, "positive"
    return x * x * x


def f(x):
    return hessian(noisy)(6.0 * x) + hvp(noisy, 7.0 * x, 0.5)
