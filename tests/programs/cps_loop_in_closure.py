# entry: f
# args: 0.585, 2
# order: 2
# note: a closure captures what loops record, and its derivative is taken after that of who made it

import math


def step(n, x, y, k):
    if n <= 0:
        return k(x)
    h = lambda v: v * x
    z = x / (2.0 + y * y) * (x * x)
    for i in range(n):
        if z > 0.1:
            z = h(z) * 0.5

    def q(v):
        for j in range(n):
            if math.tanh(math.sin(x)) * 0.5 > y:
                break
        return h(v)

    return step(n - 1, y, z * x, q)


def f(x, n):
    return step(n, x, -0.214, math.sin)
