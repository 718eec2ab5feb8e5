# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: an instance by two names


class Inner:
    def __init__(self, w):
        self.w = w
class Outer:
    def __init__(self, w):
        self.inner = Inner(w)
        self.count = 0
def f(x):
    o = Outer(x)
    i = o.inner
    o.inner.w = x * x
    i.w += 1.0
    o.count += 2
    return o.inner.w * o.count
