# entry: sin
# args: 1.0
# args: 0.5
# order: 2
# note: the Taylor series with an early return; Zygote's paper gives the gradient at 1.0 as 0.5403023037918872


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
