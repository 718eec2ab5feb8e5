# entry: f
# args: 2.0, 5.0
# closed: [8 * y, 8 * x]
# note: the gradient of a function of two arguments with respect to the first, by every spelling

from gradus import grad, value_and_grad


def h(a, b):
    return 0.5 * a * a * b


def f(x, y):
    first = grad(h)(x, y)
    by_index = grad(h, 0)(x, y)
    by_name = grad(h, "a")(x, y)
    by_keyword = grad(h)(a=x, b=y)
    in_tuple = grad(h, (0, 1))(x, y)[0]
    (single,) = grad(h, (0,))(x, y)
    _, swapped = grad(h, (1, 0))(x, y)
    value, beside_value = value_and_grad(h)(x, y)
    return first + by_index + by_name + by_keyword + in_tuple + single + swapped + beside_value
