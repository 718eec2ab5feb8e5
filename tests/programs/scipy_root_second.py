# entry: f
# args: 2.0
# args: 0.75
# order: 2
# closed: [1 / (2 * sqrt(a)) + 1 / (3 * a ** (2 / 3))]
# closed second: -1 / (4 * a ** 1.5) - 2 / (9 * a ** (5 / 3))
# note: derivatives of roots are roots of nothing: they are solved for at each order

from scipy.optimize import brentq


def f(a):
    return brentq(lambda x: x * x - a, 0, 10) + brentq(lambda x, a: x * x * x - a, 0.0, 10.0, args=(a,))
