# entry: of_the_gradient
# args: [4.0, 1.0, 2.0]
# note: rows that arms swap, and the gradient of the gradient: on the other path there is no list of indices
from gradus import grad


def swapped(b):
    y = b.copy()
    if b[0] < 3.0:
        y[[0, 2]] = y[[2, 0]]
    y[0] = y[0] * y[0] * b[0]
    if b[1] < 3.0:
        y[[1, 2]] = y[[2, 1]]
    y[1] = y[1] * y[1] * b[1]
    return y.sum()


def of_the_gradient(b):
    return grad(swapped)(b).sum()
