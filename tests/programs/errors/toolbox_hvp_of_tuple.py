# entry: f
# args: 2.0
# exit: 2
# message: `hvp` needs a function that returns a float
# line: 11
# note: the second derivative is one of a number
from gradus import hvp


def f(x):
    return hvp(lambda a: (a, a), x, x)
