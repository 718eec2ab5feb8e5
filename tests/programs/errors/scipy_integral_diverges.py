# entry: f
# args: 0.5
# exit: 1
# message: it may diverge
# line: 10
from scipy.integrate import quad


def f(a):
    return quad(lambda x: 1.0 / x, 0.0, a)[0]
