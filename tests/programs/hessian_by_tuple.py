# entry: f
# args: 1.5, 0.5
# note: a Hessian times a vector: the gradient of a dot product with the gradient

from gradus import grad


def g(x, y):
    return x * x * y + y * y * y


def f(x, y):
    def dot(a, b):
        ga, gb = grad(g, (0, 1))(a, b)
        return 2.0 * ga - 1.0 * gb

    hx, hy = grad(dot, (0, 1))(x, y)
    return hx * hy
