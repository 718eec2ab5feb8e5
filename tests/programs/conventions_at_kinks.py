# entry: f
# args: 0.0, 0.0
# args: 3.0, 4.0
# args: 3e200, 4e200
# args: 3e-200, -4e-200
# by-hand
# note: abs and hypot have the derivative 0 at 0, atan2 at (0, 0); where these are large or small, derivatives are not.
import math


def f(x, y):
    return abs(x) + math.exp(-math.hypot(x, y) ** 2) + math.hypot(x, y) + 1e3 * math.atan2(y, x)
