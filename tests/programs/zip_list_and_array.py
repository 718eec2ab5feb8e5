# entry: f
# args: 0.7, [1.0, 2.0, 3.0]
# note: rows of an array beside a list whose length only the run knows; an element of an array is its own copy
import numpy as np


def f(x, ys):
    out = []
    t = x
    while t < 5.0:
        out.append(t)
        t = t * 1.9
    first = ys[0].copy()
    return sum(a * b for a, b in zip(out, ys)) * first
