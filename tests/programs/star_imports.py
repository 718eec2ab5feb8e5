# entry: f
# args: 0.7
# order: 2
# note: all that modules export
from functools import *
from math import *
from gradus import *


def f(x):
    s = sin(x) + abs(-x) * max(x, 0.5) + round(2.6) + reduce(lambda a, b: a * b, [x, pi, 2.0])
    return s + grad(lambda z: z * exp(z))(x)
