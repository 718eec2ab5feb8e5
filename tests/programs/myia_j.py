# entry: f
# args: 1.2, -0.6
# note: J gives the value and what takes a cotangent back; the first of what it gives belongs to the function

from myia.operations import J, scalar_exp, scalar_mul


def g(x, y):
    return scalar_mul(x, scalar_exp(y))


def f(x, y):
    value, back = J(g)(J(x), J(y))
    of_function, dx, dy = back(2.0)
    return value, dx, dy, of_function
