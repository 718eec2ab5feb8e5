# entry: f
# args: 0.7, 5
# note: steps of a loop that are computed again, with a capture, and a loop inside

import math
from gradus import checkpoint


def f(x, n):
    a = x * 0.5

    def step(s, i):
        for _ in range(3):
            s = math.sin(s) * a + 1.0 / (s + i)
        return s

    again = checkpoint(step)
    s = x
    for i in range(n):
        s = again(s, i)
    return s * a
