# entry: sqrt
# args: 2.0
# args: 1000.0
# args: 0.01
# note: the number of iterations depends on the data


def sqrt(a):
    x = a
    while abs(x * x - a) > 1e-9:
        x = 0.5 * (x + a / x)
    return x
