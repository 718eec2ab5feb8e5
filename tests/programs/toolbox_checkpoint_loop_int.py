# entry: f
# args: 0.7, 5
# args: 0.7, 0
# note: a state of ints that becomes floats, one in a step and one in two

import math
from gradus import checkpoint_loop


def f(x, n):
    s = checkpoint_loop(lambda i, s: math.sin(s) * x + 0.1 * i, n, 1, 2)
    t, p = checkpoint_loop(lambda i, s: (s[0] + s[1], s[1] * x), n, (0, 1), 2)
    return s * x + t * p
