# entry: f
# args: 0.3, 0.8
# note: Kepler's equation by Newton's method until it is accurate

import math


def f(e, mean):
    x = mean
    while True:
        step = (x - e * math.sin(x) - mean) / (1.0 - e * math.cos(x))
        x = x - step
        if abs(step) < 1e-7:
            return x
