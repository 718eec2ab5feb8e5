# entry: f
# args: 2.5
# args: -1.0
# closed: [1.0 if x > 0 else 0.0]
# result: float
# note: one return gives an int, one a float: the result is a float


def f(x):
    if x > 0:
        return x
    return 0
