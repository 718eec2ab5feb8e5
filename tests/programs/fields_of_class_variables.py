# entry: f
# args: 1.5
# args: -0.7
# note: a variable of the class is the first value of a field


class C:
    n = 0
    def __init__(self):
        self.t = 0.0
    def hit(self, v):
        self.n += 1
        self.t += v
def f(x):
    c = C()
    c.hit(x)
    c.hit(x * x)
    return c.t / c.n
