# entry: sigmoid
# args: 0.4
# args: -3.0
# order: 2
# closed: [exp(-x) / (1 + exp(-x))**2]
# note: the logistic function in both of its stable forms

import math


def sigmoid(x):
    if x >= 0.0:
        return 1.0 / (1.0 + math.exp(-x))
    e = math.exp(x)
    return e / (1.0 + e)
