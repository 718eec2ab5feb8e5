# entry: f
# args: 2.0
# args: -0.4
# order: 2
# note: super() in methods, properties and makers, along chains and several bases, in Python's order
from abc import ABC, abstractmethod


class Shape(ABC):
    def __init__(self, size, **rest):
        self.size = size
        self.kind = self.weight() + 1.0

    @abstractmethod
    def area(self): ...

    def weight(self):
        return 1.0

    @property
    def twice(self):
        return 2.0 * self.size

    @classmethod
    def unit(cls, k):
        return cls(k)


class Square(Shape):
    def area(self):
        return self.size**2


class Tile(Square):
    def __init__(self, size, gap=0.5):
        super().__init__(size)
        self.gap = gap * self.kind

    def area(self):
        return super().area() + self.gap

    def weight(self):
        return super().weight() + self.size

    @property
    def twice(self):
        return super().twice * 3.0


class Base:
    def __init__(self, x):
        self.trace = [x]

    def go(self, x):
        return x


class Left(Base):
    def __init__(self, x):
        super().__init__(x * 2.0)
        self.left = self.trace[0] + x

    def go(self, x):
        return 2.0 * super().go(x)


class Right(Base):
    def __init__(self, x):
        Base.__init__(self, x * x)
        self.right = x * 7.0

    def go(self, x):
        return x + super(Right, self).go(x) ** 2


class Both(Left, Right):
    def __init__(self, x):
        super().__init__(x + 1.0)
        self.own = self.left * self.right

    def go(self, x):
        return super().go(x) + 1.0


def f(x):
    tile = Tile(x)
    both = Both(x)
    s = tile.area() + tile.twice + Square.unit(x).twice + Tile.unit(x * x).area()
    return s + both.go(x) + both.own + both.trace[0] + Left(x).go(x) * Right(x).go(x)
