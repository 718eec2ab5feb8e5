# entry: main
# args: 1.5
# exit: 2
# message: to an order without bound
# line: 15
# note: each turn of the loop differentiates what the turn before made

import math
from gradus import grad


def main(x):
    f = math.sin
    for i in range(int(x)):
        f = grad(f)
    return f(x)
