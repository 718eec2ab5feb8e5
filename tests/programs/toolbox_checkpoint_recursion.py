# entry: f
# args: 1.1, 6
# note: a recursive function computed again

from gradus import checkpoint


def power(x, n):
    return 1.0 if n == 0 else x * power(x, n - 1)


def f(x, n):
    return checkpoint(power)(x * x, n) * x
