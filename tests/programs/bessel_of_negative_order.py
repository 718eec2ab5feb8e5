# entry: f
# args: -2.0, 1.5
# by-hand
# note: the value is that of order 2, the derivative with respect to the order is not and is NaN; that with respect to z is not touched by it
from scipy.special import iv


def f(v, z):
    return iv(v, z)
