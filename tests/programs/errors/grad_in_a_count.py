# entry: f
# args: 2.0
# exit: 2
# message: `range` needs ints
# line: 13
# calls: power 19

from gradus import grad


def power(x, n):
    r = 1
    for i in range(n):
        r = r * x
    return r


def f(x):
    return grad(power, argnums=1)(x, 3)
