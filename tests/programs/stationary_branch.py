# entry: f
# args: 0.0
# args: 1.0
# args: 3.0
# order: 2
# closed: [6 * x if x < 2 else 12.0]
# closed second: 6.0 if x < 2 else 0.0
# note: inside of a branch, at 0 the first derivative is zero and the second is not


def f(x):
    if x < 2.0:
        y = 3.0 * x * x
    else:
        y = 12.0 * x - 12.0
    return y
