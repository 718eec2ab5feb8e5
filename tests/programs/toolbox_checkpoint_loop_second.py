# entry: f
# args: 0.7
# order: 2
# note: derivatives of a reversed loop, and its forward mode

import math
from gradus import checkpoint_loop, jvp


def loop(x):
    return checkpoint_loop(lambda i, s: math.sin(s) * x + 0.1 * i, 4, x, 2)


def f(x):
    return loop(x) + jvp(loop, (x,), (x,))[1]
