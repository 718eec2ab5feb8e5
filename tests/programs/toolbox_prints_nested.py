# entry: f
# args: 1.5
# order: 2
# note: the gradient of the pushforward of a function that prints
from gradus import grad, jvp


def noisy(x):
    print("at", x)
    assert x > 0.0, "positive"
    return x * x * x


def f(x):
    return grad(lambda z: jvp(noisy, (z,), (1.0,))[1])(x)
