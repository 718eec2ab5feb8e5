# entry: f
# args: 1.5
# args: 0.5
# order: 2
# by-hand
# closed: [60.0 * x**3 + 650.0 * x**4 + 3.0 * x**2 + 12.0 * x + 20.0]
# closed second: 180.0 * x**2 + 2600.0 * x**3 + 6.0 * x + 12.0
# note: derivatives of functions that change variables around them: of the value by the argument, once each, from the state there is
import numpy as np
from gradus import Box, grad, hessian, jacfwd, value_and_grad, vmap


# 15 x⁴ + 130 x⁵.
def pieces(x):
    s = 0.0
    def f(t):
        nonlocal s
        s = s + t * t
        return s * t
    a = grad(f)(x)
    b, c = value_and_grad(f)(2.0 * x)
    return a * s + b * c


# x³ + 2 x² + 4 x + 4 (x + 2)².
def many(x):
    m = Box(x)
    def f(v):
        m.set(m.get() + 1.0)
        return v * v * m.get()
    j = jacfwd(lambda v: v * m.get())(x)
    h = hessian(lambda v: v * v * m.get())(x)
    ys = vmap(lambda v: v * m.get())(np.array([1.0, x]))
    return f(x) + f(2.0) * m.get() + j + h + np.sum(ys)


def f(x):
    return pieces(x) + many(x)
