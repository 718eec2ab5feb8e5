# entry: f
# args: 0.3
# args: 4.7
# args: -2.6
# args: 31.2
# order: 2
# note: `math.lgamma`, whose derivatives are the digamma function and those of it
import math


def f(x):
    return math.lgamma(x) * x
