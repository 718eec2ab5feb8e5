# entry: f
# args: 2.0
# closed: [2.5 * 2 * x + 9.81]
# note: constants of the module are read

import math

GRAVITY = 9.81
SCALE = GRAVITY / GRAVITY * 2.5


def f(x):
    return SCALE * x * x + GRAVITY * x + math.pi
