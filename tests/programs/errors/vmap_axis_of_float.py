# entry: f
# args: 0.7
# exit: 2
# message: axis float is out of bounds
# line: 15
import numpy as np
from gradus import jacrev, vmap


def rows(v, k):
    return v * k, np.sum(v) * k


def f(x: float) -> float:
    turned = vmap(lambda v: v * v, in_axes=1, out_axes=2.0)(np.array([[x, 1.0], [2.0, x]]))
    j, sums = jacrev(rows, has_aux=True)(np.array([x, 0.5 * x]), x)
    return turned[1, 1] + j[1, 1] * sums
