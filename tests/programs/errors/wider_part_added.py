# entry: f
# args: [0.5, 1.5, 2.5]
# exit: 2
# message: astype(np.float32)
# line: 11
# note: NumPy rounds what it adds in place; here the types say what is lost
import numpy as np

def f(x):
    y = np.zeros(3, dtype=np.float32)
    y[1:] += x[1:]
    return np.sum(y)
