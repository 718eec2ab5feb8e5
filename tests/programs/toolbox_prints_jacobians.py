# entry: f
# args: 1.5
# order: 2
# note: Jacobians of a function that prints
from gradus import jacfwd, jacrev


def noisy(x):
    print("at", x)
    assert x > 0.0, "positive"
    return x * x * x


def f(x):
    return jacfwd(noisy)(4.0 * x) + jacrev(noisy)(5.0 * x)
