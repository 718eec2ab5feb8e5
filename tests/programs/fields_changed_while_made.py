# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: a method that __init__ calls changes fields, which are boxes from the beginning


class C:
    def __init__(self, x):
        self.x = x
        self.reset()
        self.y = self.x + 1.0
    def reset(self):
        self.x = self.x * 3.0
def f(x):
    c = C(x)
    return c.x * c.y
