# entry: f
# args: 0.7, 0.9, 11
# args: 0.7, 0.9, 0
# args: 0.7, 0.9, 1
# note: binomial checkpointing with three slots; the body captures a variable

import math
from gradus import checkpoint_loop


def f(x, a, n):
    s, t = checkpoint_loop(lambda i, s: (math.sin(s[0]) * a + 0.1 * i, s[1] + s[0] * s[0]), n, (x, 0.0), 3)
    return s * t
