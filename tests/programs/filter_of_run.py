# entry: f
# args: [1.0, 2.0, 3.0], 1.5
# args: [0.5, -2.0, 0.25], 0.1
# note: `filter` and `takewhile` with conditions that only the run knows, in a file without a list
import itertools
from functools import reduce

import numpy as np


def f(xs, y):
    total = sum(filter(lambda x: x > y, xs)) + sum(filter(lambda x: x < 1.0, (y, y * y, 2.0 * y)))
    for x in itertools.takewhile(lambda x: x < 2.5, xs):
        total = total + x * y
    return total * y + reduce(lambda a, b: a * b, filter(lambda x: x > 0.75, xs), y)
