# entry: f
# args: 1.5


class T:
    def __init__(self, x):
        self.a = [x]
def f(x):
    p, q = T(x), T(2.0)
    p.a = q.a
    q.a.append(x)
    return sum(p.a)
