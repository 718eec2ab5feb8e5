# entry: f
# args: 1.5
# args: -1.5
# args: 12.0
# closed: [2*x if x > 10 else 3.0 if x > 0 else -4 * x**3]


def f(x):
    return x * x if x > 10 else 3 * x if x > 0 else -(x**4)
