# entry: f
# args: 1.3
# closed: [(7 + 16*x)*(x + 2*x**2 - 0.5) + (7*x + 8*x**2 - 1.5)*(1 + 4*x)]

import numpy as np


def f(x):
    a = np.zeros(4)
    b = a
    places = np.array([0, 1, 0, 3])
    a[places] += x
    np.add.at(b, places, x * x)
    np.subtract.at(a, places[1:3], 0.5)
    return (b * np.arange(1.0, 5.0)).sum() * a[0]
