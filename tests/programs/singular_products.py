# entry: f
# args: 0.0, 2
# args: 0.25, 3
# closed: [1.0 + 1.5*n*math.sqrt(t), None]
# by-hand
# note: a cotangent of zero stops what is infinite: sqrt has no derivative at 0, and its product with t has.
import math


def f(t, n):
    s = t
    for i in range(n):
        s = s + math.sqrt(t) * t
    return s
