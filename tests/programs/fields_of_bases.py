# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: super().__init__, and fields of both classes that change


class Base:
    def __init__(self, x):
        self.x = x
        self.n = 0
class D(Base):
    def __init__(self, x):
        super().__init__(x)
        self.y = x * 2.0
    def go(self):
        self.n += 1
        self.y += self.x
        return self.y
def f(x):
    d = D(x)
    d.go()
    return d.go() * d.n
