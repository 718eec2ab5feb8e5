# entry: f
# args: 1.05
# order: 2
# note: twice applied to itself: x ** 3, 16 times scaled


def twice(g):
    return lambda x: g(g(x))


def f(x):
    return twice(twice)(twice(lambda y: y * x))(x)
