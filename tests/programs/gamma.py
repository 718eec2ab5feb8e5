# entry: f
# args: 0.3
# args: 4.7
# args: -2.6
# args: 31.2
# order: 2
# note: `math.gamma`
import math


def f(x):
    return math.gamma(x)
