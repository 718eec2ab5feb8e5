"""What arguments and results of exported programs are made of, as data that a file holds."""

from __future__ import annotations

import enum
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Tree", "by_reference", "reference", "with_fields"]

LEAVES = ("float", "int", "bool", "complex", "array")


@dataclass(frozen=True)
class Tree:
    """A value without its numbers. Its leaves are those of `LEAVES`; others are "tuple", "list", "dict", "record", "none" and "text"."""

    kind: str
    parts: tuple[Tree, ...] = ()
    keys: tuple[Any, ...] = ()
    """The keys of a dict, or the names of the fields of a record."""
    detail: Any = None
    """The name of a record's class, the type and shape of an array, a text, or the one int or bool that a program is for."""

    @staticmethod
    def read(data: Any) -> Tree:
        """The tree that the compiler or a file describes."""
        kind, *rest = data
        if kind in ("tuple", "list"):
            return Tree(kind, tuple(map(Tree.read, rest[0])))
        if kind in ("dict", "record"):
            keys = tuple(_key(key) for key, _ in rest[-1])
            return Tree(kind, tuple(Tree.read(part) for _, part in rest[-1]), keys, rest[0] if kind == "record" else None)
        if kind == "array":
            return Tree(kind, detail=(rest[0], tuple(rest[1])))
        return Tree(kind, detail=rest[0] if rest else None)

    def data(self) -> list[Any]:
        """What `read` reads."""
        parts = [part.data() for part in self.parts]
        if self.kind in ("tuple", "list"):
            return [self.kind, parts]
        if self.kind in ("dict", "record"):
            pairs = [list(pair) for pair in zip(self.keys, parts, strict=True)]
            return [self.kind, self.detail, pairs] if self.kind == "record" else [self.kind, pairs]
        if self.kind == "array":
            return [self.kind, *self.detail]
        return [self.kind] if self.detail is None else [self.kind, self.detail]

    def leaves(self) -> Iterator[Tree]:
        """The leaves, in order."""
        if self.kind in LEAVES:
            yield self
        for part in self.parts:
            yield from part.leaves()

    def tensors(self) -> int:
        """How many tensors a leaf is."""
        return 2 if self.kind == "complex" else 1

    def is_float(self) -> bool:
        """Whether a leaf has a derivative."""
        return self.kind in ("float", "complex") or (self.kind == "array" and self.detail[0].startswith("float"))

    def has_floats(self) -> bool:
        """Whether some leaf has one."""
        return any(leaf.is_float() for leaf in self.leaves())

    def example(self) -> Any:
        """A value of a leaf."""
        if self.kind == "array":
            return np.ones(self.detail[1], self.detail[0])
        return {"float": 1.0, "int": 1, "bool": True, "complex": 1.0 + 0.0j}[self.kind]

    def built(self, leaf: Callable[[Tree], Any], classes: Mapping[str, type]) -> Any:
        """A value of this tree, with what `leaf` gives for each leaf."""
        parts = [part.built(leaf, classes) for part in self.parts]
        if self.kind in LEAVES:
            return leaf(self)
        if self.kind == "tuple":
            return tuple(parts)
        if self.kind == "list":
            return parts
        if self.kind == "dict":
            return dict(zip(self.keys, parts, strict=True))
        if self.kind == "record":
            return with_fields(classes[self.detail], self.keys, parts)
        return self.detail

    def paired(self, value: Any, name: str, classes: Mapping[str, type], loosely: bool = False) -> Iterator[tuple[Tree, Any, str]]:
        """Each leaf with what a value has there, and its name. `loosely`, `None` may stand for any part, as it does in cotangents.

        Raises a `TypeError` where the value is of another tree.
        """
        if loosely and value is None:
            yield from ((leaf, None, name) for leaf in self.leaves())
        elif self.kind in LEAVES:
            yield self, value, name
        elif self.kind in ("tuple", "list"):
            if not isinstance(value, (tuple, list)) or len(value) != len(self.parts):
                raise _other(name, f"a {self.kind} of {len(self.parts)}", value)
            for i, part in enumerate(self.parts):
                yield from part.paired(value[i], f"{name}[{i}]", classes, loosely)
        elif self.kind == "dict":
            if not isinstance(value, dict) or set(value) != set(self.keys):
                raise _other(name, f"a dict with the keys {', '.join(map(repr, self.keys))}", value)
            for key, part in zip(self.keys, self.parts, strict=True):
                yield from part.paired(value[key], f"{name}[{key!r}]", classes, loosely)
        elif self.kind == "record":
            if not isinstance(value, classes[self.detail]):
                raise _other(name, f"an instance of `{classes[self.detail].__name__}`", value)
            for key, part in zip(self.keys, self.parts, strict=True):
                yield from part.paired(getattr(value, key), f"{name}.{key}", classes, loosely)
        elif not loosely and (type(value) is not type(self.detail) or value != self.detail):
            raise self.other(name, _shown(value))

    def is_known(self) -> bool:
        """Whether a program is for one value of a leaf."""
        return self.kind in ("int", "bool") and self.detail is not None

    def other(self, name: str, shown: str) -> TypeError:
        """The error that something else is given than what the program is for."""
        return TypeError(f"the program is exported for `{name} = {self.detail!r}`, and {shown} is given")


def _key(key: Any) -> Any:
    """The key of a dict; a file has lists for tuples."""
    return tuple(map(_key, key)) if isinstance(key, (list, tuple)) else key


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, (bool, int, float, str)) or value is None else f"a `{type(value).__name__}`"


def _other(name: str, wanted: str, value: Any) -> TypeError:
    found = f"a {type(value).__name__} of {len(value)}" if isinstance(value, (tuple, list, dict)) else _shown(value)
    return TypeError(f"`{name}` is {wanted} in the exported program, and {found} is given")


def with_fields(cls: type, names: tuple[str, ...], values: list[Any]) -> Any:
    """An instance with these fields. No code of the class runs, as none does when compiled code gives one."""
    if issubclass(cls, tuple):
        make: Callable[[list[Any]], Any] = getattr(cls, "_make")
        return make(values)
    if issubclass(cls, enum.Enum):
        # A member is one object, and its cotangent none.
        member = dict(zip(names, values, strict=True))["name"]
        return None if member is None else cls[member]
    made = object.__new__(cls)
    for name, value in zip(names, values, strict=True):
        # One that is frozen refuses its own.
        object.__setattr__(made, name, value)
    return made


def reference(value: Any) -> str | None:
    """Where a process finds a function, a class or the member of an enum by its name; nothing if it cannot."""
    is_member = isinstance(value, enum.Enum)
    owner = type(value) if is_member else value
    text = f"{getattr(owner, '__module__', None)}:{getattr(owner, '__qualname__', None)}{'.' + value.name if is_member else ''}"
    try:
        return text if by_reference(text) is value else None
    except (ImportError, AttributeError):
        return None


def by_reference(text: str) -> Any:
    """What is found there."""
    module, _, path = text.partition(":")
    found: Any = sys.modules.get(module) or importlib.import_module(module)
    for name in path.split("."):
        found = getattr(found, name)
    return found
