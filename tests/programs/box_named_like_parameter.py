# entry: f
# args: [0.5, 0.7], 2.0
# args: [-1.5, 0.25], 0.5
# note: a function with effects whose name a parameter and a comprehension variable have elsewhere: these are other names; functions that are defined on two paths
import numpy as np
from gradus import Box, vmap


def scaled(x, w):
    return vmap(lambda s: s * w)(x)


def total(x):
    return vmap(lambda t: sum([s * t for s in (1.0, 2.0)]))(x)


def s(x):
    b = Box(x * x)
    b.set(b.get() * 2.0)
    return b.get()


def f(x, w):
    def chosen(x):
        if x > 0.6:

            def by(t):
                return t * x

        else:

            def by(t):
                return t + x

        return by(x) * w

    return np.sum(scaled(x, w) * total(x) * vmap(chosen)(x)) * s(w)
