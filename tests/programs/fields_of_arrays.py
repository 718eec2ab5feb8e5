# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: an array in a field, written to by methods and by its field


import numpy as np
class L:
    def __init__(self, n):
        self.w = np.ones(n)
    def update(self, g):
        self.w -= 0.1 * g
    def set(self, i, v):
        self.w[i] = v
def f(x):
    l = L(3)
    l.update(l.w * x)
    l.set(1, x)
    l.w[2] += x
    return np.sum(l.w ** 2)
