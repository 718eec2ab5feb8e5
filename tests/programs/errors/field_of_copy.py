# entry: f
# args: 1.5
# exit: 2
# message: a copy of this is not supported
# line: 14


import copy
class C:
    def __init__(self, x):
        self.x = x
def f(x):
    a = C(x)
    b = copy.copy(a)
    b.x = 1.0
    return a.x
