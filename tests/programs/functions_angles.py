# entry: f
# args: 30.0
# closed: [pi / 180 * cos(radians(x)) + 180 / pi]

import math


def f(x):
    return math.sin(math.radians(x)) + math.degrees(x)
