# entry: f
# args: 1.5
# args: -0.75
# order: 2
# note: the cotangent of a closure is a record of what it captures, by name: constants, other names of one value, closures in closures
import math
from gradus import grad, vjp


def call(g, y):
    return g(y)


def compose(g, h):
    return lambda y: g(h(y))


def f(x):
    three, a = 3.0, x * x
    b = a
    dg, dy = vjp(call, lambda y: y * three + a * y * y - math.sin(b), x)[1](1.0)

    def inner(y):
        return y * a

    def outer(y):
        return inner(y) + a * math.cos(x * y)

    dh = grad(call)(outer, 0.5)
    dc = grad(call)(compose(lambda y: math.sin(y * a), lambda y: y + x), 0.5)

    def power(y, n):
        return y if n == 0 else power(y, n - 1) * a

    dp = grad(lambda p, y: p(y, 3))(power, x)
    fs = (inner, [outer, math.sin], {"k": compose(math.exp, inner)})
    dt = grad(lambda fs: fs[0](1.0) * fs[1][0](2.0) + fs[1][1](0.5) * fs[2]["k"](0.25))(fs)
    total = dg.three * dg.a + dg.b * dy + dh.inner.a * dh.a + dh.x + dc.g.a * dc.h.x + dp.a
    return total + dt[0].a + dt[1][0].inner.a * dt[2]["k"].h.a + dt[1][0].x
