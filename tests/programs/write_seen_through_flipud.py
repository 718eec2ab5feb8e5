# entry: f
# args: 0.7
import numpy as np

def f(x):
    m = np.array([[x, 1.0]])
    c = np.flipud(m)
    c[0, 0] = 30.0
    return m.sum() * x
