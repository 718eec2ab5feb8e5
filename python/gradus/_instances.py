"""Instances of classes of the user as calls that make them again."""

from __future__ import annotations

import argparse
import dis
import inspect
from dataclasses import fields, is_dataclass
from types import FunctionType, SimpleNamespace
from typing import Any

from . import _library
from ._base import CONTAINERS, Unsupported, listed, may_change
from ._definitions import CODE, Definition, Lines, Parts
from ._expressions import Expressions
from ._program import Keys, Place, is_array, snapshot
from ._source import is_written_in


# Classes whose instances have whichever attributes they are given.
_BAGS = (SimpleNamespace, argparse.Namespace)


class Instances(Expressions):
    """Text of instances."""

    def _instance(self, value: Any, hint: str) -> Parts:
        cls = type(value)
        if cls in _BAGS:
            return self._bag(value, hint)
        if cls.__module__.startswith("numpy.random"):
            raise Unsupported("a source of random numbers, which no program shares: make it in the function, as `np.random.default_rng(seed)`")
        if cls.__module__ == "builtins" or not _library.is_followed(cls.__module__):
            raise Unsupported(f"an object of the class {cls.__module__}.{cls.__qualname__}")
        maker = self.refer(cls, cls.__name__, Place("attr", value, "__class__"))
        if id(value) in self._within:
            raise Unsupported("a value that contains itself")
        self._instances.append(value)
        self._within.add(id(value))
        try:
            return self._made(value, cls, maker, hint)
        finally:
            self._within.discard(id(value))

    def _made(self, value: Any, cls: type, maker: Definition, hint: str) -> Parts:
        """Text that makes an instance with the same fields."""
        if isinstance(value, tuple) and hasattr(cls, "_fields"):
            return self._call([maker], tuple(value), {}, hint)
        if is_dataclass(cls):
            names = [f.name for f in fields(cls)]
            if not all(f.init for f in fields(cls)) or _changes_itself(cls):
                # It is not made again by what has made it, but of what it has become.
                names += [name for name in getattr(value, "__dict__", ()) if name not in names]
                maker = self._copier(cls, maker, tuple(names))
        else:
            names = list(vars(value)) if hasattr(value, "__dict__") else []
            names += [name for c in cls.__mro__ for name in _slots(c) if hasattr(value, name)]
            if names or inspect.getattr_static(cls, "__init__") is not object.__init__:
                maker = self._copier(cls, maker, tuple(names))
        return self._of_fields(value, maker, names, hint)

    def _bag(self, value: Any, hint: str) -> Parts:
        """Text that makes an object of attributes, which is of a class with these."""
        if id(value) in self._within:
            raise Unsupported("a value that contains itself")
        names = list(vars(value))
        maker = self._copier(type(value), None, tuple(names))
        self._guard("value", vars(value), None, Keys(tuple(names)))
        self._within.add(id(value))
        try:
            return self._of_fields(value, maker, names, hint)
        finally:
            self._within.discard(id(value))

    def _of_fields(self, value: Any, maker: Definition, names: list[str], hint: str) -> Parts:
        items: list[Parts] = []
        for name in names:
            part = _field(value, name)
            place = Place("attr", value, name)
            if type(part) is float and self._varies((type(value), f"{hint}.{name}"), part):
                items.append([f"{name}=", self._given(f"{hint}_{name}", place)])
                continue
            if not is_array(part) or not self._is_given(part):
                self._guard("attr", value, name, part)
            if type(part) in CONTAINERS and may_change(part):
                self._guard("value", part, None, snapshot(part, self._is_given))
            items.append([f"{name}=", *self.expression(part, f"{hint}_{name}", place)])
        return listed([maker, "("], items, ")")

    def _copier(self, cls: type, maker: Definition | None, names: tuple[str, ...]) -> Definition:
        """A class like another, if there is one, whose instances are made of their fields."""

        def make() -> Lines:
            made = Lines(f"{cls.__name__}_made", CODE, hard=[maker] if maker else [], owner=cls)
            body: list[Parts] = [[f"        self.{name} = {name}"] for name in names] or [["        pass"]]
            head: Parts = [f"    def __init__({', '.join(['self', *names])}):"]
            base: Parts = ["(", maker, ")"] if maker else []
            made.lines = [["class ", made, *base, ":"], head, *body]
            return made

        return self._once(("copier", id(cls), names), make)


def _slots(cls: type) -> list[str]:
    slots = vars(cls).get("__slots__", ())
    return [s for s in ([slots] if isinstance(slots, str) else slots) if s not in ("__dict__", "__weakref__")]


def _field(value: Any, name: str) -> Any:
    """A field as it is kept, and not as a property of the same name gives it."""
    return vars(value)[name] if name in getattr(value, "__dict__", ()) else getattr(value, name)


def _changes_itself(cls: type) -> bool:
    """Whether instances may have other fields than they are made with."""
    made, after = vars(cls).get("__init__"), inspect.getattr_static(cls, "__post_init__", None)
    is_written = isinstance(made, FunctionType) and is_written_in(made, cls)
    return is_written or (isinstance(after, FunctionType) and _assigns(after))


def _assigns(method: FunctionType) -> bool:
    """Whether a method may change the fields of its instance."""
    return "__setattr__" in method.__code__.co_names or any(i.opname == "STORE_ATTR" for i in dis.get_instructions(method))
