# entry: f
# args: 2.0, -3.0
# args: -2.0, 3.0
# closed: [copysign(1, x) + copysign(1, x) * copysign(1, y) + copysign(1, x), copysign(1, x)]

import math
import numpy as np


def f(x, y):
    return abs(x) + math.copysign(x, y) + np.sign(x) * y + math.fabs(x)
