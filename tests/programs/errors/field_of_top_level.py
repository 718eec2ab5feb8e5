# entry: f
# args: 1.5
# exit: 3
# message: is not supported at the top level
# line: 11


class C:
    def __init__(self, x):
        self.x = x
g = C(1.0)
def f(x):
    g.x = g.x * x
    g.x = g.x * x
    return g.x
