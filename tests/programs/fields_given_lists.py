# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: lists that are handed to the constructor and kept by nobody else


class A:
    def __init__(self, items):
        self.items = items
    def add(self, v):
        self.items.append(v)
def f(x):
    a = A([])
    a.add(x)
    b = A([1.0, x])
    b.add(2.0 * x)
    return sum(a.items) * sum(b.items)
