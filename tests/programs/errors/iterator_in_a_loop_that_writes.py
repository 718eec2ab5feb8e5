# entry: f
# args: 1.5
# exit: 3
# message: a loop that may change what this iterator gives
# line: 11
# note: `chain` gives what is in the lists when it gets there
from itertools import chain
def f(x):
    w = [x, 2.0]
    s = 0.0
    for v in chain(w, [3.0]):
        w[1] = 7.0
        s += v
    return s
