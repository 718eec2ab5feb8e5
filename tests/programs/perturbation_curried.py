# entry: f
# args: 2.0, 3.0
# closed: [6 * x * y, 3 * x * x]
# note: the inner function returns a closure over what is differentiated

from gradus import grad


def outer(x):
    return lambda y: x * x * x * y


def f(x, y):
    return grad(lambda a: outer(a)(y))(x)
