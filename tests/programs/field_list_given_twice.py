# entry: f
# args: 1.5


class T:
    def __init__(self, a):
        self.a = a
    def add(self, v):
        self.a.append(v)
def f(x):
    l = [x]
    p, q = T(l), T(l)
    p.add(x)
    return sum(q.a)
