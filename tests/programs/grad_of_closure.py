# entry: f
# args: 3.0, 2.0
# closed: [2 * y + y * 3.0 * 2 * x, 2 * x + 3 * x * x]
# note: the gradient of a function that captures what is differentiated outside

from gradus import grad


def f(x, y):
    g = lambda z: z * z * y
    return grad(g)(x) + y * x * x * 3.0
