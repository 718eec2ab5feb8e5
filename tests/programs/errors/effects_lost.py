# command: run
# entry: f
# args: 2.0
# exit: 3
# message: would be lost
# line: 11
# note: what a function prints that a function of the library calls which does not know of effects
from gradus import forwarddiff

def noisy(x):
    print("x is", x)
    return x * x
def f(x):
    return forwarddiff(noisy, x)
