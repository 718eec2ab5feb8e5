# entry: f
# args: 2.0
# order: 2
# note: the adjoint equation is a fixed point as well, so derivatives of any order are implicit

from gradus import fixed_point


def f(a):
    return fixed_point(lambda x, a: 0.5 * (x + a / x), 1.0, a)
