# entry: f
# args: 3.0, 0.1
# args: 3.0, 5.0
# by-hand
# closed: [min(2 * x * y, 4.0), x**2]
# note: a rule that is not the derivative: the cotangent of x clipped at 4

from gradus import custom_vjp


def clip(y, x):
    return lambda g: (min(g, 4.0 / (2.0 * 3.0)) * 2.0 * x if g > 0.0 else 0.0,)


@custom_vjp(clip)
def square(x):
    return x * x


def f(x, y):
    return square(x) * y
