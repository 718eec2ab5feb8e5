# entry: loss
# args: [0.5, -0.3, 0.1], [1.0, 2.0]
# args: [1.5, 0.3, -0.1], [-1.0, 0.5]

import math


def loss(w, x):
    a, b, bias = w
    z = a * x[0] + b * x[1] + bias
    p = 1.0 / (1.0 + math.exp(-z))
    return -(0.7 * math.log(p) + 0.3 * math.log(1.0 - p))
