# entry: f
# args: 1.5


class A:
    def __init__(self, x):
        self.hist = [x]
    def add(self, v):
        self.hist.append(v)
    def get(self):
        return self.hist
def f(x):
    a = A(x)
    h = a.get()
    a.add(x)
    return sum(h)
