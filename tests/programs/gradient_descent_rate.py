# entry: f
# args: 0.1, 2.0
# note: the gradient with respect to the learning rate; the loss is a closure

import math
from gradus import value_and_grad


def f(rate, start):
    loss = lambda w: math.log(1.0 + math.exp(-w)) + 0.1 * w * w
    w = start
    total = 0.0
    for i in range(10):
        value, slope = value_and_grad(loss)(w)
        w = w - rate * slope
        total += value
    return total
