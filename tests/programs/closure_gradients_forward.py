# entry: f
# args: 1.5
# args: -0.5
# order: 2
# note: records of captures as seeds and tangents, in Jacobians and Hessians, and of functions that return closures
import math
from gradus import hessian, jacfwd, jacrev, jvp, linearize, vjp


def call(g, y):
    return g(y)


def make(a):
    return lambda y: y * a * a


def f(x):
    a = x * x
    g = lambda y: math.sin(y * a) + x
    d = vjp(call, g, x)[1](1.0)[0]
    total = jvp(call, (g, x), (d, 1.0))[1] + jvp(call, (g, x), (None, 1.0))[1] * linearize(call, g, x)[1](d, 0.0)
    h, back = vjp(make, x)
    dh = vjp(call, h, 3.0)[1](1.0)[0]
    total = total + back(dh)[0] + jvp(make, (x,), (1.0,))[1].a * h(x)
    pair = lambda p: p[0](p[1])
    forward, reverse = jacfwd(pair)((g, x)), jacrev(pair)((g, x))
    total = total + forward[0].a * reverse[0].x + forward[0].x * reverse[1]
    second = hessian(pair)((g, x))
    return total + second[0].a[0].a * second[1][0].a + second[0].a[1] + second[1][1] + jacrev(make)(x).a
