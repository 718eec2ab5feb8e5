# entry: f
# args: 0.5
# exit: 1
# message: the variable `self.x` has no value here
# line: 8
# note: a field that not all paths assign
class P:
    def __init__(self, x):
        if x > 1.0:
            self.x = x
def f(x):
    return P(x).x
