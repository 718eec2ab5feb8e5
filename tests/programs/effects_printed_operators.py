# entry: f
# args: 1.5
# order: 2
# closed: [2 + 2*x]
# note: what is printed by properties and operators of classes, and within expressions; tests/command/printed.rs has the lines
from dataclasses import dataclass


@dataclass(frozen=True)
class D:
    v: float

    @property
    def half(self):
        print("half", self.v)
        return 0.5 * self.v

    def __add__(self, other):
        print("add", self.v, other.v)
        return D(self.v + other.v)

    def __mul__(self, k):
        print("mul", k)
        return D(self.v * k)

    def __getitem__(self, i):
        print("item", i)
        return self.v

    def __lt__(self, other):
        print("lt")
        return self.v < other.v

    def __bool__(self):
        print("bool")
        return self.v > 0.0

    def __len__(self):
        print("len")
        return 2


def f(x):
    d = D(x) + D(x)
    d += D(0.0)
    y = d.half + (d * x)[0] * 0.5 + (0.0 if d < d else x)
    y = y + [print("turn", j) or j * x for j in range(2)][1] - x
    return y if d and len(d) == 2 else 0.0
