# entry: f
# args: [1.5, -0.5, 2.0], [0.3, 0.8, -1.1]
# note: a program goes over an array of complex numbers as over one of floats
import numpy as np


def f(x, y):
    zs = x + 1j * y
    ws = zs[::-1] * 2.0
    total = 0j
    for z in zs:
        total = total * z + 1.0
    for i, (z, w) in enumerate(zip(zs, ws)):
        total = total + i * z / w
    a, b, c = ws
    squares = [z * z for z in reversed(zs)]
    total = total + a * b - c + squares[0] + sum(squares) + zs[-1] + len(zs)
    return abs(total) + total.real
