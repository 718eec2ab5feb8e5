# The sine by its Taylor series, left by an early return as soon as the terms are small: an example of Zygote's paper ("Don't
# Unroll Adjoint", Innes 2018). What is differentiated is the program, so the gradient is that of the partial sum; cos(1.0) is
# 0.5403023058681398.
#
#   $ gradus grad examples/taylor_sin.py sin 1.0
#   value     0.841470984648068
#   gradient  0.5403023037918872


def sin(x):
    term = x
    total = x
    k = 1
    while True:
        term = -term * x * x / (2 * k * (2 * k + 1))
        if abs(term) < 1e-8:
            return total
        total = total + term
        k = k + 1
