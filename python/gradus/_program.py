"""What a capture gives: a program, where its arrays are, and what must stay as it was."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, Protocol

from ._text import GENERATED
from ._varying import Read

_ABSENT = object()


@dataclass(frozen=True)
class Apply:
    """Expression over live objects, as `grad(f, argnums=0)`; with the name "call", that of the first argument on the others."""

    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class Expression(Protocol):
    """Object that stands for an expression, or for a plain function."""

    __gradus_expression__: Apply | Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Place:
    """Where an object was found: under a key of a dict, in a cell, an attribute, or an item of a container."""

    kind: Literal["dict", "cell", "attr", "item"]
    holder: Any
    key: Any = None

    def fetch(self) -> Any:
        """Gives what is there now."""
        if self.kind == "cell":
            return self.holder.cell_contents
        return getattr(self.holder, self.key) if self.kind == "attr" else self.holder[self.key]


@dataclass(frozen=True, eq=False)
class Given:
    """Array or float that is a parameter of the program, and where to fetch it."""

    name: str
    kind: Literal["dict", "cell", "attr", "item"]
    holder: Any
    key: Any

    def fetch(self) -> Any:
        """Gives it as it is now."""
        return Place(self.kind, self.holder, self.key).fetch()


@dataclass(frozen=True, eq=False)
class Guard:
    """What must hold for the program to stand for the function still.

    Of kinds "dict", "cell" and "attr" the object must be the same; of kind "absent" the dict must not have the key, so that the name is
    a builtin; of kind "value" the holder must equal the snapshot.
    """

    kind: Literal["dict", "cell", "attr", "absent", "value"]
    holder: Any
    key: Any
    value: Any

    def holds(self) -> bool:
        """Tells whether it does."""
        if self.kind == "value":
            return matches(self.holder, self.value)
        if self.kind == "absent":
            return self.key not in self.holder
        if self.kind == "dict":
            return self.holder.get(self.key, _ABSENT) is self.value
        if self.kind == "attr":
            return getattr(self.holder, self.key, _ABSENT) is self.value
        try:
            return self.holder.cell_contents is self.value
        except ValueError:
            return False


@dataclass
class Program:
    """Text of a program whose entry is `main`, and what it was made of.

    Sections say where pieces of the text come from: place in the text, file, and number of the first line there.
    """

    text: str
    sections: list[tuple[int, str, int]]
    columns: list[tuple[int, int]]
    """From this byte to the end of its line, columns of the file are greater by so much."""
    given: list[Given]
    guards: list[Guard]
    classes: dict[str, type]
    missing: dict[str, str] = field(default_factory=dict)
    """Names that are not in the text, and what they are: each reason goes on from "it is"."""
    varying: list[Read] = field(default_factory=list)
    """Floats that are given, since they change, and enums, of which the run may choose members."""
    direct: str | None = None
    """Name of a function of the text that takes what `main` takes: it may be the entry instead."""

    def pullback(self) -> Program:
        """Program of a cotangent and of what this one takes that gives the cotangents of that; what is given has none."""
        head, _, main = self.text.rpartition("def main(")
        listed, _, body = main.partition("):\n")
        given = [g.name for g in self.given]
        own = [name for name in listed.split(", ") if name and name not in given]
        names = {key: _unused(key, self.text) for key in ("primal", "pulled", "cotangent")}
        # All of it is generated, as `main` is: pieces of files keep their places.
        text = f"{head}def {names['primal']}({', '.join(own)}):\n{body}from gradus import vjp as {names['pulled']}\n"
        text += f"def main({', '.join([names['cotangent'], *own, *given])}):\n"
        text += f"    return {names['pulled']}({', '.join([names['primal'], *own])})[1]({names['cotangent']})\n"
        return replace(self, text=text, direct=None)

    def place(self, offset: int) -> tuple[str, int, int]:
        """File, line from 1 and column from 0, in bytes, of a place in the text."""
        text = self.text.encode()
        start, file, first = self.sections[bisect_right(self.sections, offset, key=lambda s: s[0]) - 1]
        line_start = text.rfind(b"\n", 0, offset) + 1
        column = offset - line_start
        moved = bisect_right(self.columns, offset, key=lambda c: c[0]) - 1
        if file != GENERATED and moved >= 0 and self.columns[moved][0] >= max(start, line_start):
            column += self.columns[moved][1]
        return file, first + text.count(b"\n", start, offset), column


def _unused(name: str, text: str) -> str:
    while name in text:
        name += "_"
    return name


@dataclass(frozen=True)
class Keys:
    """Stands in snapshots for a dict with these keys, whose items have guards of their own."""

    names: tuple[str, ...]


class AnyArray:
    """Stands in snapshots for an array that is fetched at each call."""


@dataclass(frozen=True)
class _Items:
    """Snapshot of a container."""

    kind: type
    items: tuple[Any, ...]
    holder: Any = None
    """The container itself, if arrays are fetched from it: another one has others."""


def snapshot(value: Any, is_given: Callable[[Any], bool]) -> Any:
    """Copies what may change in a value; arrays that are given are left out."""
    if is_array(value):
        return AnyArray() if is_given(value) else _copied(value)
    kind = type(value)
    if isinstance(value, (dict, MappingProxyType)):
        shots = [snapshot(v, is_given) for v in value.values()]
        return _Items(kind, tuple(zip(value, shots, strict=True)), _holder(value, shots))
    if isinstance(value, (list, deque, tuple)):
        shots = [snapshot(v, is_given) for v in value]
        return _Items(kind, tuple(shots), _holder(value, shots))
    if isinstance(value, (set, frozenset)):
        return _Items(kind, (frozenset(value),))
    return value


def _holder(value: Any, shots: list[Any]) -> Any:
    return value if any(isinstance(shot, AnyArray) for shot in shots) else None


def matches(value: Any, shot: Any) -> bool:
    """Tells whether a value equals a snapshot."""
    if isinstance(shot, AnyArray):
        return is_array(value)
    if isinstance(shot, Keys):
        return tuple(value) == shot.names
    if isinstance(shot, _Items):
        is_it = shot.holder is None or value is shot.holder
        return is_it and type(value) is shot.kind and _has_items(value, shot.items)
    if is_array(shot):
        return is_array(value) and value.dtype == shot.dtype and value.shape == shot.shape and bool((value == shot).all())
    if value is shot:
        return True
    if type(value) is not type(shot):
        return False
    # NaN is the same number here, and -0.0 another than 0.0.
    return repr(value) == repr(shot) if isinstance(value, (float, complex)) else is_scalar(value) and bool(value == shot)


def _has_items(value: Any, items: tuple[Any, ...]) -> bool:
    if isinstance(value, (set, frozenset)):
        return bool(value == items[0])
    if len(value) != len(items):
        return False
    if isinstance(value, (dict, MappingProxyType)):
        return all(k == key and matches(v, shot) for (k, v), (key, shot) in zip(value.items(), items, strict=True))
    return all(map(matches, value, items))


def is_scalar(value: Any) -> bool:
    """Tells whether a value is a number, a string, None, or a scalar of NumPy."""
    return type(value) in (int, float, complex, bool, str, type(None)) or is_numpy_scalar(value)


def is_numpy_scalar(value: Any) -> bool:
    """Tells whether a value is a scalar of NumPy."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic)


def is_dtype(value: Any) -> bool:
    """Tells whether a value is a type of elements of NumPy."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.dtype)


def is_array(value: Any) -> bool:
    """Tells whether a value is an array of NumPy or of another package."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray):
        return True
    kind = type(value)
    # Instances of the user that NumPy may convert have no axes by themselves.
    is_other = hasattr(kind, "__dlpack__") or (hasattr(kind, "__array__") and isinstance(getattr(value, "ndim", None), int))
    return is_other and not isinstance(value, type) and not is_numpy_scalar(value)


def _copied(value: Any) -> Any:
    return value.copy() if hasattr(value, "copy") else value.clone()
