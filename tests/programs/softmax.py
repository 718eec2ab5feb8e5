# entry: f
# args: [1.0, 2.0, 0.5], 1
# args: [1000.0, 999.0, -5.0], 0
# note: shifted by the largest, so that nothing overflows

import math


def softmax(a, b, c):
    m = max(a, b, c)
    ea, eb, ec = math.exp(a - m), math.exp(b - m), math.exp(c - m)
    s = ea + eb + ec
    return ea / s, eb / s, ec / s


def f(x, i):
    p, q, r = softmax(x[0], x[1], x[2])
    picked = p if i == 0 else q if i == 1 else r
    return -math.log(picked)
