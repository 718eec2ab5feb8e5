# command: run
# entry: f
# args: 2.0
# exit: 3
# message: would be lost
# line: 11
# note: forward mode, whose value nobody looks at
from gradus import jvp

def noisy(x):
    print("x is", x)
    return x * x
def f(x):
    return jvp(noisy, (x,), (1.0,))[1]
