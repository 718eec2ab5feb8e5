# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: fields named as attributes of arrays


import numpy as np
class M:
    def __init__(self, n):
        self.T = 300.0
        self.w = np.ones((n, n))
    def heat(self, d):
        self.T += d
    def get(self):
        return self.w.T
def f(x):
    m = M(2)
    m.heat(x)
    return np.sum(m.get()) * m.T
