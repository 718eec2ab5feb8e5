# entry: f
# args: 1.1
# args: -0.4
# order: 1
# note: methods for elements that are written and deleted, and methods named like those of lists that call these
class Table:
    def __init__(self, xs):
        self._v = xs
        self.writes = 0

    def __getitem__(self, k):
        return self._v[k]

    def __setitem__(self, k, v):
        self._v[k] = v
        self.writes += 1

    def __delitem__(self, k):
        del self._v[k]

    def __len__(self):
        return len(self._v)


class Stack:
    def __init__(self, xs):
        self.items = []
        self.extend(xs)

    def append(self, v):
        self.items.append(v)

    def extend(self, xs):
        for x in xs:
            self.append(x)

    def pop(self):
        return self.items.pop()

    def made(self):
        self.items.append(2.0)
        return self


def f(x):
    table = Table([x, 2.0, 3.0, x * x])
    other = table
    table[0] = x * 3.0
    table[1] += x * table[0]
    other[-1] *= 2.0
    del table[2]
    ys = [x, 1.0]
    ys[1] = table[1]
    ys[0] += 1.0
    total = table[0] * table[1] + table.writes + len(other) + table[2] * ys[1] * ys[0]
    s = Stack([x, x * x])
    s.made().append(3.0 * x)
    pairs = Stack([(x, 1.0), (2.0, x)])
    pairs.append((x * x, 3.0))
    while len(pairs.items) > 1:
        total += pairs.pop()[0] * x
    tables = [Table([x]), Table([2.0 * x])]
    tables[1][0] = total
    tables[0][0] += tables[1][0]
    return s.pop() * s.pop() + s.made().pop() * s.pop() + tables[0][0] * x
