# entry: main
# args: 0.25
# args: 1.5
# closed: [2.0 if x < 0.75 else -sin(x)]
# note: the pullback of each join is one of several closures, each of which captures that of the join before
import math

from gradus import grad


def f(x):
    if x > 0.0 and x > 0.125 and x > 0.5 and x > 0.75:
        y = math.sin(x)
    else:
        y = x * x
    return y


def main(x):
    return grad(f)(x)
