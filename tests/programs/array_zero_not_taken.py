# entry: f
# args: [4.0, 0.0, -1.0, 9.0]
# by-hand
# note: elements that are not taken contribute nothing, though their derivatives are infinite or no numbers
import numpy as np


def f(x):
    safe = np.where(x > 0.0, np.sqrt(x), 0.0)
    return np.sum(safe) + np.log(x)[0]
