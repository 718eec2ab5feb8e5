# entry: f
# args: 0.7
# exit: 2
# message: axis float is out of bounds
# line: 24
import numpy as np
from gradus import hessian, jacfwd, jacrev, vjp, vmap


def pair(x, y):
    p = x * y
    return p * p, {"p": p, "count": 3}


def rows(v, k):
    return v * k, (np.sin(v), np.sum(v) * k)


def f(x: float) -> float:
    value, pullback, more = vjp(pair, x, 1 * x, has_aux=True)
    a, b = pullback(1.5)
    m = np.array([[x, 1.0, x * x], [2.0, x, 0.5]])
    scaled, (sines, sums) = vmap(rows, in_axes=(0, None), out_axes=(1, (-1, 0)))(m, x)
    turned = vmap(lambda v: v * v, in_axes=1, out_axes=2.0)(m)
    total = np.sum(scaled @ np.array([1.0, x])) + sines[2, 1] + sums[1] + turned[1, 2] + turned[0, 0]
    v = np.array([x, 0.5 * x])
    j, sums = jacfwd(rows, argnums=(0, 1), has_aux=True)(v, x)
    total += np.sum(j[0]) * j[1][1] + sums[1] + np.sum(sums[0])
    j, sums = jacrev(rows, has_aux=True)(v, x)
    total += j[1, 1] * sums[1]
    h, more = hessian(pair, (0, 1), has_aux=True)(x, 2.0)
    total += h[0][1] * h[1][1] + more["p"]
    return value + a * b + more["p"] * more["count"] + total
