# entry: f
# args: 1.5


class Acc:
    def __init__(self, items):
        self.items = items
    def add(self, v):
        self.items.append(v)
def f(x):
    l = [1.0]
    a = Acc(l)
    a.add(x)
    return sum(l) + sum(a.items)
