# entry: f
# args: 1.1, 6
# wrt: 0
# note: recursion, and functions that call each other

from myia.operations import scalar_add, scalar_eq, scalar_mul, scalar_sub


def even(x, n):
    if scalar_eq(n, 0):
        return 1.0
    return scalar_mul(x, odd(x, scalar_sub(n, 1)))


def odd(x, n):
    if scalar_eq(n, 0):
        return x
    return scalar_add(x, even(x, scalar_sub(n, 1)))


def f(x, n):
    return even(x, n)
