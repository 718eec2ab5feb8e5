# entry: main
# command: grad
# args: 1.5
# exit: 2
# message: to an order without bound
# line: 13
import math
from gradus import grad


def iterate(f, x):
    if f(x) < 0.9:
        return iterate(grad(f), x)
    return f


def main(x):
    return iterate(math.cos, x)(x)
