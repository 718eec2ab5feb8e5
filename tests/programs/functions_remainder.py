# entry: f
# args: 7.5, 2.0
# args: -7.5, 2.0
# args: 7.5, -2.0
# args: -7.5, -2.0
# closed: [1.0 + 2.0 + 0.0, -floor(x / y) - 2 * trunc(x / y)]
# note: % takes the sign of the divisor, math.fmod that of the dividend; // is locally constant

import math


def f(x, y):
    return x % y + 2.0 * math.fmod(x, y) + 3.0 * (x // y)
