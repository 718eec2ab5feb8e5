# entry: main
# command: grad
# args: 1.5, 2
# exit: 2
# message: to an order without bound
# line: 15

import math
from gradus import grad


def iterate(f, n):
    if n <= 0:
        return f
    return iterate(grad(f), n - 1)


def main(x, n):
    return iterate(math.sin, n)(x)
