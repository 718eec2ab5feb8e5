# entry: f
# args: 1.5
# order: 2
# note: pullbacks and pushforwards of a function that prints
from gradus import jvp, linearize, vjp


def noisy(x):
    print("at", x)
    assert x > 0.0, "positive"
    return x * x * x


def f(x):
    y, back = vjp(noisy, x)
    s = y * back(2.0)[0]
    y, t = jvp(noisy, (2.0 * x,), (1.0,))
    s = s + y * t
    y, along = linearize(noisy, 3.0 * x)
    return s + along(1.0) + along(2.0)
