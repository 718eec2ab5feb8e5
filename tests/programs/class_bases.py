# entry: f
# args: 1.5
# args: 2.5
# order: 2
# note: abstract classes, generic ones and protocols; named tuples with methods; classes are asked by `getattr`, too
import abc
from abc import ABC, ABCMeta, abstractmethod
from collections import namedtuple
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

T = TypeVar("T")


class Shape(ABC):
    @abstractmethod
    def area(self): ...

    @property
    @abc.abstractmethod
    def size(self):
        pass

    def scaled(self, k):
        return k * self.area() + self.size


@dataclass(frozen=True)
class Circle(Shape):
    r: float

    def area(self):
        return 3.0 * self.r**2

    @property
    def size(self):
        return self.r


class Solid(metaclass=ABCMeta):
    @abstractmethod
    def volume(self): ...


@dataclass(frozen=True)
class Cube(Solid):
    edge: float

    def volume(self):
        return self.edge**3


@dataclass(frozen=True)
class Held(Generic[T]):
    value: T

    def twice(self):
        return self.value * 2.0


@dataclass(frozen=True)
class HeldBeside(Held[float]):
    more: float = 1.0


class HasArea(Protocol):
    def area(self) -> float: ...


class Pair(namedtuple("Pair", "a b")):
    __slots__ = ()

    def dot(self):
        return self.a * self.b


class Triple(NamedTuple):
    a: float
    b: float
    c: float = 2.0

    def product(self):
        return self.a * self.b * self.c

    __matmul__ = lambda self, other: self.a * other.a + self.b * other.b


class Constants:
    RATE = 0.5

    @staticmethod
    def double(x):
        return x * 2.0


def area_of(shape: HasArea):
    return shape.area()


def f(x):
    pair = Pair(x, 2.0 * x)
    a, b = pair
    triple = Triple(x, b)
    total = Circle(x).scaled(x) + area_of(Circle(2.0 * x)) + Cube(x).volume()
    total += Held(x).twice() + HeldBeside(x, x * x).twice() * HeldBeside(x).more
    total += pair.dot() * a + triple.product() + triple @ Triple(1.0, x)
    return total + getattr(Constants, "double")(x) * getattr(Constants, "RATE")
