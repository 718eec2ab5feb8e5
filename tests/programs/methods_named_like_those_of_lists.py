# entry: f
# args: 1.5
# args: 2.5
# order: 2
# note: a class with a `pop` and a `setdefault` beside lists and dicts; several indices are a tuple to `__getitem__`
from dataclasses import dataclass


@dataclass(frozen=True)
class Stack:
    top: float

    def pop(self):
        return self.top * 3.0

    def setdefault(self, key, value):
        return self.top if key == "top" else value


@dataclass(frozen=True)
class Grid:
    scale: float

    def __getitem__(self, place):
        i, j = place
        return self.scale * i + j


@dataclass(frozen=True)
class Row:
    scale: float

    def __getitem__(self, place):
        return self.scale * place[0] ** 2 + place[1]


def last(of):
    return of.pop()


def f(x):
    xs = [x, x * 2.0, x * 3.0]
    d = {"a": x}
    stack = Stack(x)
    total = xs.pop() * stack.pop() + Stack(2.0).pop() + len(xs)
    total += d.setdefault("b", x * x) + stack.setdefault("top", 1.0) + d["b"]
    total += d.pop("a") * xs.pop(0) + last(stack) * x
    place = (2, 3)
    return total + Grid(x)[1, 2] * Grid(x)[(3, 4)] + Grid(x)[place] + Row(x)[x, 2.0]
