# entry: f
# args: 2.5
# args: -0.7
# order: 2
# note: classes with __next__, __iter__ and __getitem__ in loops, next(), list, sum, in


class Powers:
    def __init__(self, x, n):
        self.x = x
        self.n = n
        self.i = 0
        self.p = 1.0

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        self.p = self.p * self.x
        return self.p


class Steps:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        return self

    def __next__(self):
        self.x = self.x + 1.0
        return self.x


class Bag:
    def __init__(self, xs):
        self.xs = xs

    def __len__(self):
        return len(self.xs)

    def __getitem__(self, i):
        return self.xs[i]


class Deck:
    def __init__(self, xs):
        self.xs = xs

    def __iter__(self):
        return iter(self.xs)


def total(items):
    s = 0.0
    for v in items:
        s += v * v
    return s


def f(x):
    s = 0.0
    for p in Powers(x, 4):
        if p > 10.0:
            break
        s += p
    powers = Powers(x, 3)
    s += next(powers) * next(powers)
    s += sum(powers) + next(powers, 5.0)
    for v in Steps(x):
        if v > 5.0:
            break
        s += v
    bag = Bag([x, 2.0, x * x])
    for v in bag:
        s += v
    if 2.0 in bag:
        s += len(bag) * bag[0]
    s += total(Deck([x, 2.0])) + sum(Deck([x, x])) + max(Deck([x, 1.0])) + total(Powers(x, 2)) + list(Powers(x, 3))[2]
    a, b = list(Deck([x, x * 3.0]))
    return s + a * b
