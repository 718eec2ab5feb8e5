# entry: f
# args: 1.5, 0.7, 3
# note: value and pullback of a tuple; an int has no cotangent, None stands for a zero one

from gradus import vjp


def g(x, y, n):
    return x * x * y, (n * y, x / y), n


def f(x, y, n):
    value, pullback = vjp(g, x, y, n)
    gx, gy, gn = pullback((1.0, (2.0, x), None))
    hx, hy, hn = pullback((None, (None, 3.0), None))
    extra = 1.0 if gn is None else 100.0
    return (value[0] * gx + gy * hx + hy) * extra
