"""Classes of the user: which member is meant, and changes of classes and instances between calls."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest

import gradus


class Base:
    K = 2.0
    val = 1.0
    registry: ClassVar[dict[str, type[Base]]] = {}

    def __init_subclass__(cls) -> None:
        Base.registry[cls.__name__] = cls

    def __init__(self, a: float) -> None:
        self.a = a

    def f(self, x: float) -> float:
        return self.a * x

    @property
    def twice(self) -> float:
        return 2.0 * self.a

    @staticmethod
    def scaled(x: float) -> float:
        return 5.0 * x

    def get(self) -> float:
        return self.val * self.K


class Left(Base):
    def f(self, x: float) -> float:
        return super().f(x) + 1.0

    @property
    def twice(self) -> float:
        return super().twice + 1.0


class Right(Base):
    def f(self, x: float) -> float:
        return super().f(x) * x


class Both(Left, Right):
    def f(self, x: float) -> float:
        return super().f(x) + self.K


class Secret:
    __k = 3.0

    def __init__(self) -> None:
        self.__v = 2.0

    def __product(self, x: float) -> float:
        return x * self.__v * self.__k

    def shown(self, x: float) -> float:
        return self.__product(x)


class MoreSecret(Secret):
    __k = 100.0

    def __init__(self) -> None:
        super().__init__()
        self.__v = 50.0

    def more(self, x: float) -> float:
        return self.shown(x) + self.__v * x * self.__k


@dataclasses.dataclass
class Data:
    a: float = 1.0

    def __post_init__(self) -> None:
        self.b = 2.0 * self.a


class Halved:
    def __init__(self, a: float) -> None:
        self._a = a
        self.a = a

    @property
    def a(self) -> float:
        return self._a

    @a.setter
    def a(self, value: float) -> None:
        self._a = value * 0.5


class Quartered(Halved):
    def __init__(self, a: float) -> None:
        super().__init__(a)
        self.a = self.a


BOTH = Both(1.5)
SECRET = MoreSecret()
DATA = Data(3.0)


def several_bases(x: float) -> float:
    return Both(x).f(x) + BOTH.f(x) + BOTH.twice * x + Left(x).twice


def private_names(x: float) -> float:
    return SECRET.more(x) + MoreSecret().more(x)


def a_field_that_is_not_declared(x: float) -> float:
    return DATA.b * x


def a_registry(x: float) -> float:
    return Base.registry["Right"](x).f(x)


def setters_in_makers(x: float) -> float:
    return Quartered(x).a * x + Base(x).a


@pytest.mark.parametrize(
    "f",
    [several_bases, private_names, a_field_that_is_not_declared, a_registry, setters_in_makers],
    ids=lambda f: f.__name__,
)
def test_which_member_is_meant(f: Any) -> None:
    assert math.isclose(gradus.jit(f)(2.5), f(2.5), rel_tol=1e-12)
    difference = (f(2.5 + 1e-5) - f(2.5 - 1e-5)) / 2e-5
    assert math.isclose(gradus.grad(f)(2.5), difference, rel_tol=1e-6)


def follows(f: Callable[..., Any], x: float, changes: list[Callable[[], Any]]) -> None:
    """Checks the values of a function, before and after each change."""
    compiled = gradus.jit(f)
    for change in [lambda: None, *changes]:
        change()
        assert math.isclose(compiled(x), f(x)), change
        assert math.isclose(compiled(x), f(x)), change


def test_members_that_are_hidden_and_found_again() -> None:
    class Own:
        val = 1.0

        def f(self, x: float) -> float:
            return self.val * x

    class Derived(Own):
        pass

    own, derived = Own(), Derived()
    changes: list[Callable[[], Any]] = [
        lambda: setattr(own, "val", 5.0),
        lambda: setattr(Own, "val", 7.0),
        lambda: setattr(Derived, "val", 9.0),
        lambda: delattr(own, "val"),
        lambda: delattr(Derived, "val"),
        lambda: setattr(own, "f", lambda x: x * x),
    ]
    follows(lambda x: own.f(x) + 10.0 * derived.f(x), 2.0, changes)


def test_methods_that_are_replaced_are_refused() -> None:
    class Own:
        @staticmethod
        def f(x: float) -> float:
            return x

    f = gradus.jit(lambda x: Own.f(x))
    assert f(2.0) == 2.0
    Own.f = staticmethod(lambda x: 3.0 * x)  # type: ignore[method-assign]
    with pytest.raises(gradus.CompileError, match="a class whose method `f` was replaced"):
        f(2.0)


def test_containers_of_arrays_that_are_replaced() -> None:
    layers: dict[str, Any] = {"a": {"w": np.ones(2)}, "b": [np.ones(2)]}
    whole = (layers, 2.0)
    changes: list[Callable[[], Any]] = [
        lambda: layers["a"]["w"].__setitem__(0, 5.0),
        lambda: layers.update(a={"w": np.zeros(2)}),
        lambda: layers.update(b=[np.full(3, 2.0)]),
        lambda: layers["b"].__setitem__(0, np.ones(1)),
    ]
    follows(lambda x: x * layers["a"]["w"].sum() + whole[0]["b"][0].sum() * whole[1], 2.0, changes)


def test_arguments_of_partials_that_change() -> None:
    f = functools.partial(lambda a, x, b: a * x + b, 2.0, b=1.0)
    follows(lambda x: f(x=x), 2.0, [lambda: f.keywords.update(b=5.0)])


@dataclasses.dataclass
class Square:
    a: float


@functools.singledispatch
def extent(value: Any, k: float = 1.0) -> float:
    return float(value * k)


@extent.register
def _(value: Square, k: float = 1.0) -> float:
    return value.a**2 * k


def test_functions_that_dispatch() -> None:
    def f(x: float) -> float:
        return extent(Square(x), 3.0) + extent(x, k=2.0)

    assert gradus.grad(f)(2.0) == 14.0


class Wrapped:
    def __init__(self, data: Any) -> None:
        self.data = data

    def __array__(self) -> Any:
        return self.data

    def __mul__(self, other: Any) -> Wrapped:
        return Wrapped(self.data * other)


def test_instances_that_numpy_may_convert() -> None:
    wrapped = Wrapped(np.array([1.0, 2.0]))
    assert gradus.grad(lambda v: (wrapped * v).data.sum())(np.ones(2)).tolist() == [1.0, 2.0]
