# entry: f
# args: 0.75, 1.5
# args: 1.25, 0.5
# note: integrals between ends that move, are infinite, or depend on another variable; of what is captured and of `args`

import math

from scipy.integrate import dblquad, quad


def f(a, b):
    inside = quad(lambda x: math.exp(-a * x) * math.sin(b * x), 0, a + b)[0]
    line = quad(lambda x, s: math.exp(-s * x * x), -math.inf, math.inf, args=(a,))[0]
    tail = quad(lambda x: math.exp(-x * b), a, math.inf)[0]
    plane = dblquad(lambda y, x: x * y * y + a * y, 0.0, b, 0.0, lambda x: x * a)[0]
    return inside * line + tail * plane
