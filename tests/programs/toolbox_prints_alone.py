# entry: f
# args: 1.5
# order: 2
# note: `jacfwd` and `jacrev` call a function that prints once for what it does, also where nothing else differentiates it
from gradus import jacfwd, jacrev


def noisy(x):
    print("at", x)
    return x * x * x


def f(x):
    return jacfwd(noisy)(x) + jacrev(lambda y: noisy(y) * y)(x)
