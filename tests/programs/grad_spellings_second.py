# entry: f
# args: 2.0, 5.0
# closed: [10 * x + y, x]
# note: the same for the second argument

from gradus import grad, value_and_grad


def h(a, b):
    return a * a * b


def f(x, y):
    by_index = grad(h, 1)(x, y)
    by_name = grad(h, "b")(x, y)
    by_keyword = grad(h, 1)(b=y, a=x)
    _, in_tuple = grad(h, (0, 1))(x, y)
    value, gradients = value_and_grad(h, (1,))(x, b=y)
    return by_index + by_name + by_keyword + in_tuple + gradients[0] + value / x
