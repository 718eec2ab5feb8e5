# entry: f
# args: 2.0
# args: -2.0
# by-hand
# closed: [0.5 / sqrt(x) + 1.0 / x + 3.0 if x > 0.0 else 2.0 * x - 1.0]
# note: what functions of `math` raise outside of their domains, and where a result is too large
import math


def roots(x):
    try:
        return math.sqrt(x) + math.log(x)
    except ValueError:
        return x * x
    except OverflowError:
        return 0.0


def large(x):
    try:
        return math.exp(x * 1000.0)
    except OverflowError:
        return x * 3.0
    except ValueError:
        return 0.0


def signed(x):
    try:
        return math.acos(x * 10.0)
    except ValueError:
        return -min(x, 0.0)


def f(x):
    return roots(x) + large(x) + signed(x)
