# entry: f
# args: 0.0
# args: 2.0
# order: 2
# by-hand
# closed: [-1 / x**2 if x else 1.0]
# closed second: 2 / x**3 if x else 0.0
# note: 1/x before the test that decides whether it is read; the value of 1.0 / 0.0 is inf


def f(x):
    inverse = 1.0 / x
    return x if x == 0.0 else inverse
