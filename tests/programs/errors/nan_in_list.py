# command: run
# entry: f
# args: 1.5
# exit: 2
# message: whether a NaN is among others
# line: 11
# note: Python finds the very object, and floats are no objects here.
import math


def f(x): return x if math.nan in [x, math.nan] else 0.0
