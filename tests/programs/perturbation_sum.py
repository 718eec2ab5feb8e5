# entry: f
# args: 3.0
# order: 2
# closed: [1.0]
# closed second: 0.0
# note: perturbation confusion gives 2 here

from gradus import grad


def f(x):
    return x * grad(lambda y: x + y)(1.0)
