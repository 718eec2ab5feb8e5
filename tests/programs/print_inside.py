# entry: f
# args: 1.5
# order: 2
# note: a gradient of a lambda, in a function that prints

from gradus import grad


def f(x):
    print("x is", x)
    y = grad(lambda t: t * t * t * x)(x)
    print(f"{y:.3f}")
    return y
