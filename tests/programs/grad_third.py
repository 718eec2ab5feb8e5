# entry: f
# args: 1.5
# order: 2
# closed: [120 * x]
# closed second: 120.0
# note: the fifth derivative in all

from gradus import grad


def f(x):
    g = lambda y: y**5
    return grad(grad(grad(g)))(x)
