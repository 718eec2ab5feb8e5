# entry: f
# args: 0.5
# args: 3.0
# order: 2
# note: a rational function in Horner's form


def f(x):
    p = ((2.0 * x - 3.0) * x + 0.5) * x + 1.0
    q = (x * x + 1.0) * x + 5.0
    return p / q
