# entry: f
# args: 1.3
# closed: [7*(55*x**4 + 8*x**3 + 3*x**2) + 81 + 6*x]

import numpy as np


def f(x):
    a = np.zeros(3)
    b = a
    np.put(a, [0, 2], [x, x * x])
    np.putmask(a, a > 1.6, 0.5)
    np.copyto(b, a * 2.0, where=a < 1.4)
    np.add(a, x, out=b)
    np.multiply(b, a, out=a)
    m = np.ones((3, 3)) * x
    d = m.T
    np.fill_diagonal(m, 5.0 * x)
    c = np.zeros(3)
    np.dot(d, b, out=c)
    m.flat[1] = x * x
    return c.sum() * b[1] + (d * np.arange(9.0).reshape(3, 3)).sum()
