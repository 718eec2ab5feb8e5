# entry: f
# args: 0.7
# args: 2.5
# order: 2

import math


def f(x):
    a = math.exp(x) + 2.0 * math.exp2(x) + 3.0 * math.expm1(x)
    b = math.log(x) + 2.0 * math.log2(x) + 3.0 * math.log10(x) + 4.0 * math.log1p(x)
    return a * 0.5 + b + math.log(x + 2.0, 3.0)
