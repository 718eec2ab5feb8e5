# entry: f
# args: 2.0
# note: variables of classes that are assigned and changed from outside; defaults that read what the top level changes
from dataclasses import dataclass

N = 1.0
N += 2.0


class Counter:
    n = 0
    seen = [1.0]

    @classmethod
    def more(cls):
        return cls.n + 1

    def total(self):
        return sum(self.seen)


def count():
    Counter.n += 2


count()
count()
Counter.seen.append(4.0)


@dataclass
class Line:
    a: float
    b: float = N

    def at(self, x):
        return self.a * x + self.b + N


def shifted(x, by=N):
    return x + by


N += 1.0


def f(x):
    return Line(x).at(x) + Counter.n * x + Counter.more() * Counter().total() + shifted(x)
