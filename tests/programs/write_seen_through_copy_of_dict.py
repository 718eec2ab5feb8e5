# entry: f
# args: 0.7
import numpy as np

def f(x):
    m = {"a": np.array([x, 1.0])}
    c = dict(m)
    c["a"][0] = 3.0
    return m["a"][0] * x
