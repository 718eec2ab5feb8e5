# entry: f
# args: 2.0
# note: what the top level computes from constants is constant, so it may be a shape
import numpy as np

WIDE = True
if WIDE:
    N = 3
else:
    N = 5
sizes = [2]
for _ in range(2):
    sizes.append(sizes[-1] + 1)
params = [np.ones((m, n)) for m, n in zip(sizes[:-1], sizes[1:])]
A = np.zeros((2, 3))
A[1, :] = 2.0
A += 1.0


def f(x):
    h = np.ones(2) * x
    for W in params:
        h = h @ W
    return np.sum(h) + np.sum(np.ones(N) * x) * A[1, 0]
