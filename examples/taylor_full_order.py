# A function that is computed by its Taylor series, with derivatives that are as good as the series: an example of Zygote's paper ("Don't
# Unroll Adjoint", Innes 2018) against differentiating the program as it stands.
#
# The derivative of a polynomial of degree n has degree n - 1. So the derivative of a truncated series is worse than the series, the
# second derivative worse still. But the derivative of exp is exp, so the rule of `exponential` is to call `exponential`, whose
# derivative has the same rule: no order is lost, however many derivatives are taken.
#
#   $ gradus run examples/taylor_full_order.py as_written 1.0
#   (2.708333333333333, 2.6666666666666665, 2.5, 2.0)
#   $ gradus run examples/taylor_full_order.py by_rule 1.0
#   (2.708333333333333, 2.708333333333333, 2.708333333333333, 2.708333333333333)
#   $ gradus check examples/taylor_full_order.py series 1.0
#
# The value and the derivatives of orders 1 to 3 at 1, of a series of degree 4; e is 2.718281828459045.

from gradus import custom_vjp, grad


def series(x):
    term = 1.0
    total = 1.0
    for k in range(1, 5):
        term = term * x / k
        total = total + term
    return total


def rule(y, x):
    return lambda cotangent: (cotangent * exponential(x),)


@custom_vjp(rule)
def exponential(x):
    return series(x)


def orders(f, x):
    return f(x), grad(f)(x), grad(grad(f))(x), grad(grad(grad(f)))(x)


def as_written(x):
    return orders(series, x)


def by_rule(x):
    return orders(exponential, x)
