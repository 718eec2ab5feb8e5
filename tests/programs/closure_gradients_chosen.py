# entry: f
# args: 1.5
# args: 0.25
# order: 2
# note: the cotangent of one of several closures, which the run has chosen; of lists of closures
import math
from gradus import grad, jvp, vjp


def call(g, y):
    return g(y)


def run(fs, y):
    for one in fs:
        y = one(y)
    return y


def make(w, b):
    return lambda y: math.tanh(w * y + b)


def f(x):
    a = x * x
    g = (lambda y: y * a) if x > 1.0 else (lambda y: y + math.sin(a))
    dg, dy = vjp(lambda g, y: g(y) * y, g, x)[1](1.0)
    t = jvp(lambda g, y: g(y) * y, (g, x), (dg, 1.0))[1]
    total = dg.a * dy + t
    fs = [lambda y: y * a, lambda y: y + a, lambda y: y / (a + 1.0)]
    i = 0
    h = fs[0]
    while i < 3:
        if i == 1:
            h = fs[1]
        if i == 2:
            h = fs[2]
        dh, dy = vjp(call, h, x)[1](1.0)
        total = total + dy * dh.a
        i += 1
    d = grad(run)(fs, x)
    total = total + d[0].a * d[1].a + d[2].a
    ds = grad(run)([make(w, 0.1 * w) for w in (x, 2.0, x * x)], x)
    for one in ds:
        total = total + one.w * one.b
    dk = grad(run)([lambda y, k=k: y * k for k in (x, 2.0 * x)], x)
    return total + dk[0].k * dk[1].k
