# entry: f
# args: [[0.1, -0.2, 0.3, 1.7, 0.9, -1.3, 0.77, 2.1, -0.6], [1.1, 0.7, -0.9, 0.21, -1.9, 0.3, 0.17, -0.1, 0.6]]
# note: a few long rows times themselves: transposed or copied, the product has the same bits
import numpy as np


def f(a):
    return np.sum(np.sin(a @ a.T))
