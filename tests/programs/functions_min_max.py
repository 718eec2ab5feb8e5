# entry: f
# args: 2.0, 3.0
# args: 3.0, -2.0
# closed: [y + 1.0 + (2.0 if x > y else 3.0), x + 4.0 + (2.0 if y > x else 3.0) - 4.0 + 1.0]

import numpy as np


def f(x, y):
    return max(x, y) * min(x, y) + np.maximum(x, y) * 2.0 + np.minimum(x, y) * 3.0 + max(x, x - 1.0) + min(y, y + 1.0)
