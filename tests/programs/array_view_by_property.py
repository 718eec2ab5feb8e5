# entry: f
# args: 1.3

import numpy as np


class P:
    def __init__(self, n):
        self.x = np.zeros(n)
    @property
    def head(self):
        return self.x[:2]
    def push(self, v):
        self.x[0] += v
        self.x = self.x * 2.0
        self.x[1] = v


def f(x):
    p = P(3)
    old = p.x
    p.push(x)
    p.head[0] += 1.0
    h = p.head
    p.push(x * x)
    return p.x.sum() + old.sum() + h.sum()
