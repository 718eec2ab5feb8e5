"""Definitions of a program while it is captured: those that are known, what guards them, and what is left out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import BuiltinFunctionType, FunctionType, MappingProxyType
from typing import Any

from ._definitions import EXPRESSION, IMPORT, VALUE, Code, Definition, Import, Parts, Value, read_by
from ._program import Guard, Place, is_array
from ._scopes import Reference
from ._varying import Read

CONTAINERS = (tuple, list, deque, set, frozenset, dict, OrderedDict, defaultdict, Counter, MappingProxyType, range, slice)


class Unsupported(Exception):
    """Object that no program can have."""


class Base(ABC):
    """What all parts of the capture share."""

    def __init__(self, bakes_arrays: bool = False) -> None:
        self.definitions: list[Definition] = []
        self.missing: dict[str, str] = {}
        self.reserved: set[str] = set()
        self.bakes_arrays = bakes_arrays
        self.own_package = ""
        self.target: Any = None
        self.varying: list[Read] = []
        self._guards: dict[tuple[str, int, object], Guard] = {}
        self._known: dict[object, Definition] = {}
        self._kept: list[object] = []
        self._todo: deque[tuple[Code, Mapping[str, Any], Mapping[str, Any], list[tuple[int, int]]]] = deque()
        self._notes: list[tuple[Code, Reference, Any]] = []
        self._within: set[int] = set()
        self._installed = 0
        self._classes: list[type] = []
        self._instances: list[Any] = []
        self._members_of: dict[type, list[Definition]] = {}

    @property
    def guards(self) -> list[Guard]:
        """What must stay as it was."""
        return list(self._guards.values())

    @abstractmethod
    def expression(self, value: Any, hint: str, place: Place) -> Parts:
        """Text of a value: itself where that is a literal, else a name."""

    @abstractmethod
    def _refer(self, value: Any, hint: str, place: Place) -> Definition: ...

    def refer(self, value: Any, hint: str, place: Place) -> Definition:
        """Definition of an object, by a name that is like the hint."""
        definition = self._refer(value, hint, place)
        definition.uses += 1
        return definition

    def _value(self, hint: str, parts: Parts) -> Value:
        hard = read_by(parts)
        rank = VALUE if all(d.rank <= VALUE for d in hard) else EXPRESSION
        return Value(hint, rank, hard=hard, parts=parts)

    def _remember(self, value: Any, definition: Definition) -> Definition:
        self._kept.append(value)
        self._known[id(value)] = definition
        if definition not in self.definitions:
            self.definitions.append(definition)
        return definition

    def _once(self, key: object, make: Any) -> Definition:
        if key not in self._known:
            definition: Definition = make()
            self._known[key] = definition
            self.definitions.append(definition)
        return self._known[key]

    def _import(self, module: str, attribute: str | None, hint: str) -> Definition:
        key = ("import", module, attribute, hint)
        return self._once(key, lambda: Import(hint, IMPORT, module=module, attribute=attribute))

    @contextmanager
    def _or_forgotten(self, value: Any, definition: Definition) -> Iterator[None]:
        """Takes a definition back where what it is made of cannot be captured."""
        try:
            yield
        except Unsupported:
            del self._known[id(value)]
            self.definitions.remove(definition)
            raise

    def _guard_place(self, place: Place, value: Any) -> None:
        if place.kind != "item":
            self._guard(place.kind, place.holder, place.key, value)

    def _guard(self, kind: Any, holder: Any, key: Any, value: Any) -> None:
        self._guards.setdefault((kind, id(holder), key), Guard(kind, holder, key, value))

    def _miss(self, name: str, reason: str) -> None:
        self.reserved.add(name)
        self.missing.setdefault(name, reason)


def own_name(value: Any) -> str | None:
    """Name that a function or class has by itself."""
    is_named = isinstance(value, (FunctionType, type, BuiltinFunctionType)) or type(value).__name__ == "ufunc"
    name = getattr(value, "__name__", None) if is_named else None
    return name if isinstance(name, str) and name.isidentifier() else None


def listed(head: str | Parts, items: list[Parts], tail: str, between: str = ", ") -> Parts:
    parts: Parts = [head] if isinstance(head, str) else list(head)
    for i, item in enumerate(items):
        parts += [between, *item] if i else item
    return [*parts, tail]


def may_change(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(may_change(v) or is_array(v) for v in value)
    return isinstance(value, (list, deque, dict, MappingProxyType, set))
