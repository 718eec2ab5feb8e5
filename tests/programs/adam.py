# entry: f
# args: 2.0, 0.1
# note: an optimiser with momentum as a loop with five variables

import math
from gradus import grad


def f(x, rate):
    slope = grad(lambda w: (w * w - 1.0) ** 2)
    m = v = 0.0
    b1 = b2 = 1.0
    for _ in range(15):
        g = slope(x)
        m = 0.9 * m + 0.1 * g
        v = 0.99 * v + 0.01 * g * g
        b1 *= 0.9
        b2 *= 0.99
        x -= rate * (m / (1 - b1)) / (math.sqrt(v / (1 - b2)) + 1e-8)
    return x
