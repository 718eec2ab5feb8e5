# entry: f
# args: 3.0
# order: 2
# closed: [2 * x]
# closed second: 2.0

from gradus import grad


def f(x):
    return x * grad(lambda y: x * y)(2.0)
