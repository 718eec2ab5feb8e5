# entry: f
# args: 1.5
# order: 2
# note: `hessian` calls a function that prints once for what it does, also where nothing else differentiates it
from gradus import hessian


def noisy(x):
    print("at", x)
    return x * x * x


def f(x):
    return hessian(noisy)(2.0 * x)
