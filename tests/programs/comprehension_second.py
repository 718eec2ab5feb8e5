# entry: f
# args: 1.5
# args: -0.5
# order: 2
# note: second derivatives through lists, generators and functions that take functions
from functools import reduce


def f(x):
    powers = [x**k for k in range(3)]
    s = sum(a * b for a in powers for b in (x, 2.0) if b is not None)
    return s * reduce(lambda a, b: a * b + x, map(lambda e: e * e, powers))
