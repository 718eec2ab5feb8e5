# entry: f
# args: 0.0
# args: 2.0
# order: 2
# by-hand
# closed: [-1 / x**2 if x else 0.0]
# closed second: 2 / x**3 if x else 0.0
# note: 1/x behind a test


def f(x):
    if x == 0.0:
        return 0.0
    return 1.0 / x
