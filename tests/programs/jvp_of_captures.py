# entry: f
# args: 2.0, 0.3
# wrt: 0
# order: 2
# note: a function given to jvp captures a variable that is assigned to afterwards
from gradus import jvp


def f(w, x):
    d = jvp(lambda t: t * w * t, (x,), (1.0,))[1]
    w = d * w
    e = jvp(lambda t: t * w, (x,), (d,))
    w = e[0]
    return w * x
