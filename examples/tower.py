# Derivatives of derivatives: all orders of a small function. By default each order goes forward over the one before.
#
#   $ gradus grad examples/tower.py f 0.5 --order 3
#   value     1.016707248780559
#   order 1   0.12019189736364755
#   order 2   0.578941138992603
#   order 3   1.156581400396919

import math


def f(x):
    return math.exp(math.sin(x) * x) / (1 + x * x)
