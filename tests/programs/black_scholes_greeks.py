# entry: f
# args: 100.0, 0.2
# note: gamma and vanna by nested grad; their gradients are of third order

import math
from gradus import grad


def call(spot, sigma):
    root = sigma * math.sqrt(0.75)
    d1 = (math.log(spot / 110.0) + (0.05 + 0.5 * sigma * sigma) * 0.75) / root
    cdf = lambda x: 0.5 * math.erfc(-x / math.sqrt(2.0))
    return spot * cdf(d1) - 110.0 * math.exp(-0.0375) * cdf(d1 - root)


def f(spot, sigma):
    gamma = grad(grad(call))(spot, sigma)
    vanna = grad(grad(call), 1)(spot, sigma)
    return 100.0 * gamma + vanna
