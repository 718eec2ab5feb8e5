# entry: f
# args: 0.7
# args: -1.1
# note: a loop that is known to run so often wraps a function in a closure that takes the derivative of it
import math

from gradus import grad, jvp


def forwards(f):
    return lambda x: jvp(f, (x,), (1.0,))[1]


def backwards(f):
    def wrapped(x):
        return grad(f)(x) * x

    return wrapped


def f(x):
    g = math.sin
    for i in range(2):
        g = forwards(g)
    h = math.exp
    for i in range(3):
        h = backwards(h)
    return g(x) * h(x)
