# entry: f
# args: 1.5, 2.0
# args: -0.5, 3.0
# wrt: 0
# order: 2
# note: comprehensions and generators: their variables are their own, their lists have a length that is known
import math

import numpy as np


def f(x, y):
    i = y
    t = (x, y, 2.0)
    squares = [e * e for e in t]
    products = [p * q for p in t for q in squares if len(squares) > 2]
    table = [[a * b for b in t] for a in (x, y)]
    long = sum(math.sin(x * i) for i in range(10))
    pairs = sum((p * q for p, q in zip(t, squares)), y)
    rows = sum(row @ row for row in (np.array([x, y]), np.array(t)))
    most = max(e * y for e in t)
    bound = all(e > -100 for e in squares) and not any(e > 100 for e in t)
    picked = [e * x for e in (1, 2.0, x, 4) if isinstance(e, float)]
    functions = [lambda z, k=k: z**k for k in range(1, 4)]
    chosen = sum(g(x) for g in functions)
    array = np.array([x**k for k in range(4)])
    total = 0.0
    for k in range(3):
        total = total + sum(total * e + k for e in t)
    small = sum(squares) + sum(products) + table[1][0] * table[0][1] + long + pairs + rows + most
    return small + sum(picked) + chosen + np.sum(array * array) + total + i * (x if bound else 0.0) + x
