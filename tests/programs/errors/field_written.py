# entry: f
# args: 0.5
# exit: 3
# message: instances do not change once they are made
# line: 12
# note: a field that is written to after the instance was made
class P:
    def __init__(self, x):
        self.x = x
def f(x):
    p = P(x)
    p.x = 2.0
    return p.x
