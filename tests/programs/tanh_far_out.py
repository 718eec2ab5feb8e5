# entry: f
# args: 0.25
# args: 0.999
# args: 8.0
# args: 20.0
# args: -30.0
# args: 60.0
# note: far out the slope of the hyperbolic tangent is small, and has its digits all the same.
import math
from gradus import grad


def f(x):
    return grad(math.tanh)(x)
