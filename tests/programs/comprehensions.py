# entry: f
# args: 1.5, 2.5
# args: -0.5, 3.0
# note: comprehensions and generators: their variables are their own, their lists have a length that is known
import math

import numpy as np


def f(x, y):
    i = y
    t = (x, y, 2.0)
    squares = [e * e for e in t]
    products = [p * q for p in (x, y) for q in (x, 2.0) if len(squares) > 2]
    long = sum(math.sin(x * i) for i in range(10))
    pairs = sum((p * q for p, q in zip(t, squares)), y)
    rows = sum(row @ row for row in (np.array([x, y]), np.array(t)))
    most = max(e * y for e in t)
    bound = all(e > -100 for e in squares) and not any(e > 100 for e in t)
    picked = [e * x for e in (1, 2.0, x, 4) if isinstance(e, float)]
    functions = [lambda z, k=k: z * k for k in (1, 2)]
    chosen = functions[0](x) * functions[1](x)
    array = np.array([x**k for k in range(4)])
    total = 0.0
    for k in range(3):
        total = total + sum(total * e + k for e in t)
    small = sum(squares) + sum(products) + long + pairs + rows + most
    return small + sum(picked) + chosen + np.sum(array * array) + total + i * (x if bound else 0.0) + x
