"""Objects of every day that functions read and are given: each program gives what CPython gives, and so does its derivative."""

from __future__ import annotations

import argparse
import collections
import dataclasses
import enum
import linecache
import math
import types
from typing import Any

import numpy as np
import pytest

import gradus


class Colour(enum.Enum):
    RED = "r"
    BLUE = "b"

    @property
    def weight(self) -> float:
        return 2.0 if self is Colour.RED else 3.0

    def scaled(self, x: float) -> float:
        return x * self.weight

    @classmethod
    def usual(cls) -> Colour:
        return cls.RED


@enum.unique
class Planet(enum.Enum):
    EARTH = (5.97e24, 6.37e6)
    MARS = (6.4e23, 3.39e6)

    def __init__(self, mass: float, radius: float) -> None:
        self.mass = mass
        self.radius = radius

    @property
    def gravity(self) -> float:
        return 6.67e-11 * self.mass / self.radius**2


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 3


class Named(enum.Enum):
    LOW = 1.5
    HIGH = 2.5
    LEAST = 1.5


class Kind(str, enum.Enum):
    SUM = "sum"
    PRODUCT = "product"


Made = enum.Enum("Made", "A B")


@dataclasses.dataclass
class Chosen:
    colour: Colour
    k: float


class Base:
    def __init__(self, a: float) -> None:
        self.a = a

    def force(self, x: float) -> float:
        return self.a * x


class Damped(Base):
    b = 3.0

    def force(self, x: float) -> float:
        return super().force(x) - self.b * x * x


class Slotted:
    __slots__ = ("a", "w")

    def __init__(self, a: float) -> None:
        self.a = a
        self.w = np.ones(2)


@dataclasses.dataclass
class Square:
    side: float
    area: float = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.area = self.side**2


class Outer:
    RATE = 2.0

    class Inner:
        K = 3.0

        @staticmethod
        def cube(x: float) -> float:
            return x**3


COLOUR = Colour.BLUE
SIZE = Size.LARGE
SPACE = types.SimpleNamespace(rate=0.5, n=3, inner=types.SimpleNamespace(w=np.ones(3), f=math.sin))
FLAGS = argparse.Namespace(lr=0.1, name="adam")
NAMES = {"a", "b"}
NUMBERS = frozenset([1.0, 2.0])
QUEUE = collections.deque([1.0, 2.0])
COUNTS = collections.Counter("aab")
DEFAULTS = collections.defaultdict(float, a=2.0)
PROXY = types.MappingProxyType({"a": [2.0, 3.0]})
SLOTTED = Slotted(4.0)
DAMPED = Damped(2.0)
SQUARE = Square(3.0)


def enum_by_identity(x: float) -> float:
    return x * 2 if COLOUR is Colour.BLUE and COLOUR is not Colour.RED else x


def enum_with_methods(x: float) -> float:
    return COLOUR.scaled(x) + Colour.RED.weight * x + Colour.usual().weight


def enum_in_a_match(x: float) -> float:
    match COLOUR:
        case Colour.RED:
            return x
        case Colour.BLUE:
            return 5.0 * x


def enum_in_a_loop(x: float) -> float:
    total = 0.0
    for colour in Colour:
        total = total + colour.weight * x * len(Colour)
    return total


def enum_of_a_branch(x: float) -> float:
    colour = Colour.RED if x > 1 else Colour.BLUE
    return colour.weight * x if colour in (Colour.RED, Colour.BLUE) else 0.0


def enum_with_fields(x: float) -> float:
    return x * Planet.EARTH.gravity / Planet.MARS.value[1]


def enum_of_ints(x: float) -> float:
    return x * SIZE + Size.SMALL.value * x + len(Size.SMALL.name) + SIZE.value


def enum_without_source(x: float) -> float:
    return x * Made.B.value if Made.A != Made.B else x


def enum_by_value(x: float) -> float:
    value = 1.5 if x > 1 else 2.5
    return x * Named(value).value + Named(2.5).value * x + Named["LEAST"].value + Size(3)


def enum_by_name(x: float, name: str = "HIGH") -> float:
    return x * Named[name].value if Named.LEAST is Named.LOW else 0.0


def enum_as_a_whole(x: float) -> float:
    named = Named.LOW if x > 1 else Named.HIGH
    match named:
        case Named.LOW:
            x = x * x
        case Named.HIGH:
            x = -x
    return x * len(Named) + sum(m.value * x for m in list(Named)) + sum(len(k) * m.value * x for k, m in Named.__members__.items())


def enum_of_ints_in_a_loop(x: float) -> float:
    weights = {"SMALL": x, "LARGE": 2.0}
    return sum(weights[size.name] * size.value * size for size in Size) + sum([x, x * x, x, x**3][size] for size in Size)


def namespaces(x: float) -> float:
    for _ in range(SPACE.n):
        x = x * SPACE.rate + SPACE.inner.w.sum()
    return SPACE.inner.f(x) * (FLAGS.lr if FLAGS.name == "adam" else 1.0)


def sets(x: float) -> float:
    return x * sum(NUMBERS) * len(NAMES) if "a" in NAMES and 3.0 not in NUMBERS else 0.0


def collections_of_all_sorts(x: float) -> float:
    return x * QUEUE[0] * COUNTS["a"] * DEFAULTS["a"] * PROXY["a"][1]


def slots(x: float) -> float:
    return SLOTTED.a * x * SLOTTED.w.sum()


def fields_that_are_not_given(x: float) -> float:
    return SQUARE.area * x + Square(x).area


def a_method_of_a_base(x: float) -> float:
    return DAMPED.force(x)


def a_class_in_a_class(x: float) -> float:
    return x * Outer.RATE * Outer.Inner.K + Outer.Inner.cube(x)


@pytest.mark.parametrize(
    "f",
    [
        enum_by_identity,
        enum_with_methods,
        enum_in_a_match,
        enum_in_a_loop,
        enum_of_a_branch,
        enum_with_fields,
        enum_of_ints,
        enum_without_source,
        enum_by_value,
        enum_by_name,
        enum_as_a_whole,
        enum_of_ints_in_a_loop,
        namespaces,
        sets,
        collections_of_all_sorts,
        slots,
        fields_that_are_not_given,
        a_method_of_a_base,
        a_class_in_a_class,
    ],
    ids=lambda f: f.__name__,
)
def test_what_functions_read(f: Any) -> None:
    assert math.isclose(gradus.jit(f)(2.5), f(2.5), rel_tol=1e-12)
    difference = (f(2.5 + 1e-5) - f(2.5 - 1e-5)) / 2e-5
    assert math.isclose(gradus.grad(f)(2.5), difference, rel_tol=1e-6)


def by_colour(x: float, colour: Colour) -> float:
    return x * 3.0 if colour is Colour.RED else x * colour.weight


def by_kind(x: float, kind: Kind) -> float:
    return x + x if kind == Kind.SUM else x * x


def by_choice(chosen: Chosen, x: float) -> float:
    return chosen.colour.weight * chosen.k * x if chosen.colour is Colour.BLUE else x


def test_members_of_enums_are_arguments() -> None:
    for colour in Colour:
        assert gradus.grad(by_colour)(2.0, colour) == (3.0 if colour is Colour.RED else 3.0)
        assert gradus.jit(by_colour)(2.0, colour) == by_colour(2.0, colour)
    assert [gradus.grad(by_kind)(2.0, kind) for kind in Kind] == [2.0, 4.0]
    gradient = gradus.grad(by_choice)(Chosen(Colour.BLUE, 2.0), 5.0)
    assert gradient == Chosen(None, 15.0)  # type: ignore[arg-type]
    assert gradus.jit(lambda x: Colour.RED if x > 1 else Colour.BLUE)(2.0) is Colour.RED


def test_what_changes_is_seen() -> None:
    space = types.SimpleNamespace(a=2.0)
    names = {"a"}
    f = gradus.jit(lambda x: space.a * x if "a" in names else x)
    assert f(3.0) == 6.0
    space.a = 5.0
    assert f(3.0) == 15.0
    space.b = 1
    assert f(3.0) == 15.0
    names.remove("a")
    assert f(3.0) == 3.0
    del space.a
    names.add("a")
    with pytest.raises(gradus.CompileError, match="no attribute `a`"):
        f(3.0)


class Negative(ValueError):
    pass


class Coded(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def root(x: float) -> float:
    if x < -10.0:
        raise Coded(3, "far below")
    if x < 0.0:
        raise Negative(f"{x} is negative")
    return math.sqrt(x)


def test_exceptions_of_the_user() -> None:
    with pytest.raises(Negative, match="Negative: -2.0 is negative") as caught:
        gradus.grad(root)(-2.0)
    assert isinstance(caught.value, gradus.Trap) and type(caught.value).__name__ == "Negative"
    assert caught.value.filename == __file__
    with pytest.raises(Coded, match="Coded: 3, far below"):
        gradus.jit(root)(-20.0)


RATE = 0.5


def test_floats_that_change_are_passed() -> None:
    global RATE
    rated = gradus.grad(lambda x: RATE * x * x)
    for rate in (0.5, 1.0, 1.5, float("nan"), 2.5):
        RATE = rate
        np.testing.assert_equal(rated(3.0), 6.0 * rate)
    assert rated.cache_info().programs == 1

    def power(k: float) -> Any:
        return lambda x: x**k

    texts = set()
    for k in (1.0, 2.0, 3.0, 4.0):
        f = gradus.grad(power(k))
        assert f(2.0) == k * 2.0 ** (k - 1.0)
        texts.add(f.source(2.0))
    assert len(texts) == 2

    for k in (1.0, 2.0, 3.0, 4.0):
        damped = Damped(k)
        held = gradus.jit(lambda x: damped.force(x))
        assert held(2.0) == damped.force(2.0)
        damped.a = 10.0
        assert held(2.0) == damped.force(2.0)


SIDE = 2.0


def test_floats_that_shapes_depend_on_are_not() -> None:
    global SIDE
    area = gradus.jit(lambda x: x * np.ones(int(SIDE)).sum())
    for side in (2.0, 3.0, 4.0, 5.0):
        SIDE = side
        assert area(2.0) == 2.0 * side


def test_classes_of_cells() -> None:
    module = types.ModuleType("__main__")
    cells = iter(range(100))

    def run(text: str) -> None:
        name = f"/tmp/ipykernel_1/{next(cells)}.py"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        exec(compile(text, name, "exec"), vars(module))

    run("from dataclasses import dataclass\n@dataclass\nclass P:\n    a: float\n    def total(self): return 2.0 * self.a\n")
    run("class Bare:\n    k = 3.0\n")
    run("def f(p): return p.total() * Bare.k\n")
    f = gradus.grad(module.f)
    assert f(module.P(1.0)).a == 6.0
    run("@dataclass\nclass P:\n    a: float\n    def total(self): return self.a ** 2\n")
    assert f(module.P(2.0)).a == 12.0
    run("Bare.k = 5.0\n")
    assert f(module.P(2.0)).a == 20.0
    exec("def g(x): return x", vars(module))
    with pytest.raises(gradus.NoSource, match="made by `exec`"):
        gradus.jit(module.g)(1.0)


def test_series() -> None:
    assert gradus.taylor(lambda x: x**3, 2.0, 2) == (8.0, 12.0, 12.0)
    along = gradus.taylor(lambda x: (x**3).sum(), np.ones(2), 2, direction=np.array([1.0, 0.0]))
    assert along == (2.0, 3.0, 6.0)
    assert gradus.jet(lambda x, y: x * y, (2.0, 3.0), ([1.0, 0.0], [1.0, 0.0])) == (6.0, [5.0, 2.0])
    assert math.isclose(gradus.grad(lambda x: gradus.taylor(math.sin, x, 2)[2])(0.5), -math.cos(0.5))
    with pytest.raises(TypeError, match="`taylor` takes a function, not a `int`"):
        gradus.taylor(3, 2.0, 1)  # type: ignore[arg-type]


def test_functions_that_numpy_makes() -> None:
    folded = np.vectorize(lambda t: t * t if t > 0.0 else -t)
    f = gradus.grad(lambda v: folded(v).sum())
    assert f(np.array([2.0, -3.0])).tolist() == [4.0, -1.0]
