# entry: f
# args: 1.5
# args: -0.7
# note: fields that only a derived class assigns


class Base:
    def __init__(self, x):
        self.x = x
    def bump(self):
        self.x = self.x * 2.0
class D(Base):
    def bump(self):
        self.x = self.x + 1.0
        self.seen = self.x
def f(x):
    a, b = Base(x), D(x)
    for o in (a, b):
        o.bump()
    return a.x * b.x + b.seen
