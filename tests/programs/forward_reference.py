# entry: f
# args: 2.0
# closed: [6 * x]
# note: a function is used above its definition


def f(x):
    return g(x) * THREE


def g(x):
    return x * x


THREE = 3.0
