# entry: f
# args: 1.0, 0.0, 2.0
# note: the force is the negative gradient of a potential, by grad in each step

import math
from gradus import grad


def f(x, v, k):
    potential = lambda q: 0.5 * k * q * q + 0.1 * math.cos(q)
    force = lambda q: -grad(potential)(q)
    dt = 0.05
    a = force(x)
    for _ in range(20):
        x = x + v * dt + 0.5 * a * dt * dt
        b = force(x)
        v = v + 0.5 * (a + b) * dt
        a = b
    return potential(x) + 0.5 * v * v + x
