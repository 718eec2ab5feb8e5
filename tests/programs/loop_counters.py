# entry: f
# args: [0.5, -1.25, 2.0, 0.75, 1.5, -0.25, 3.0], 7
# args: [0.5, -1.25, 2.0, 0.75, 1.5, -0.25, 3.0], 2
# args: [0.5, -1.25, 2.0, 0.75, 1.5, -0.25, 3.0], 0
# wrt: 0
# note: what the adjoint computes from the number of an iteration: ranges of every step, bounds from a loop around, loops that are left early
import math
import numpy as np


def f(x, n):
    s = 0.0
    for i in range(n):
        s += x[i] * x[n - 1 - i] * (i + 1)
    for i in range(n - 1, -1, -1):
        s += math.sin(x[i]) * s * 0.125
    for i in range(1, n, 3):
        s += x[i] * x[i - 1] * float(i)
    for i in range(n - 1, 0, -2):
        s -= x[i] ** 2 * x[i - 1]
    for i in range(n):
        for j in range(i, n):
            s += x[i] * x[j] * 0.25 * (i - j)
        for j in range(i):
            if x[j] > 1.75:
                break
            s += x[j] * s * 0.0625
    k = n
    while k > 0:
        k -= 1
        s += x[k] * math.cos(s * 0.01) * k
    k = 0
    while k < n and x[k] < 1.9:
        s += x[k] * x[-1 - k]
        k += 2
    w = x * 2.0
    for i in range(n):
        s += w[i] * w[i]
    for i in range(n):
        w[i] = w[i] * s
    for i in range(n):
        s += w[i] * 0.01
    return s
