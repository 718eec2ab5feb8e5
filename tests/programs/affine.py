# entry: f
# args: 2.0
# order: 2
# closed: [5.0]
# closed second: 0.0
# note: the gradient is the constant 5.0


def f(x):
    return 5 * x + 3
