# entry: f
# args: 2.0, 0.3
# note: by the implicit function theorem; parameters, and a variable that is captured

import math
from gradus import fixed_point


def f(a, b):
    root = fixed_point(lambda x, a: 0.5 * (x + a / x), 1.0, a)
    angle = fixed_point(lambda t: math.cos(t) * b + a * 0.1, 0.5)
    return root * angle
