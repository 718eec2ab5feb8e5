# entry: f
# args: 1.1
# order: 2
# note: second derivatives through a queue and a table of one's own
from collections import deque


class Table:
    def __init__(self, xs):
        self.xs = xs

    def __getitem__(self, k):
        return self.xs[k]

    def __setitem__(self, k, v):
        self.xs[k] = v


def f(x):
    q = deque([x])
    q.append(x * x)
    q.appendleft(2.0 * x)
    table = Table([x, 1.0])
    table[1] *= q.popleft() * x
    return table[1] * q.pop() * q[0]
