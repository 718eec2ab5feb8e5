# entry: f
# args: 0.5
# note: a field that is written to after the instance was made
class P:
    def __init__(self, x):
        self.x = x
def f(x):
    p = P(x)
    p.x = 2.0
    return p.x
