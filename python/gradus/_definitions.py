"""Definitions of a program: what the text says about each object, and the names that they get."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Union

from ._program import Place
from ._source import Fragment
from ._text import Edit, Text

IMPORT, VALUE, CODE, EXPRESSION = range(4)

Parts = list[Union[str, "Definition"]]
"""Text in which definitions stand for their names."""


@dataclass(eq=False)
class Definition:
    """An object with a name at the top level."""

    wanted: str
    rank: int = EXPRESSION
    name: str = ""
    uses: int = 0
    hard: list[Definition] = field(default_factory=list)
    """What must be defined before."""
    readers: list[tuple[frozenset[str], str]] = field(default_factory=list)
    """Where it is read: names that are local there, and how it is written there."""

    def write(self, text: Text) -> None:
        """Adds it to a program."""


@dataclass(eq=False)
class Builtin(Definition):
    """A name that needs no definition."""


@dataclass(eq=False)
class Array(Definition):
    """An array, or a float that changes, which is a parameter of the program."""

    place: Place | None = None


@dataclass(eq=False)
class Import(Definition):
    """A module, or what a module has under a name."""

    module: str = ""
    attribute: str | None = None

    def write(self, text: Text) -> None:
        if self.attribute is not None:
            alias = "" if self.attribute == self.name else f" as {self.name}"
            text.generated(f"from {self.module} import {self.attribute}{alias}")
        else:
            alias = "" if self.module == self.name else f" as {self.name}"
            text.generated(f"import {self.module}{alias}")


@dataclass(eq=False)
class Value(Definition):
    """A name for what an expression gives."""

    parts: Parts = field(default_factory=list)
    decorated: Code | None = None
    """The function, where the expression is a decorator of one."""
    decorator: Parts = field(default_factory=list)
    is_decorator: bool = False

    def become_decorator(self, code: Code) -> None:
        """Leaves its text to the function that it is about."""
        code.decorators.append(self.decorator)
        code.hard += [d for d in self.hard if d is not code]
        code.readers += self.readers
        self.hard = [code]
        self.is_decorator = True

    def write(self, text: Text) -> None:
        if not self.is_decorator:
            text.generated(f"{self.name} = {joined(self.parts)}")


@dataclass(eq=False)
class Lines(Definition):
    """A definition that is in no file."""

    lines: list[Parts] = field(default_factory=list)
    owner: Any = None

    def write(self, text: Text) -> None:
        for line in self.lines:
            text.generated(joined(line))


@dataclass(eq=False)
class Statement(Definition):
    """A line that defines no name."""

    parts: Parts = field(default_factory=list)

    def write(self, text: Text) -> None:
        text.generated(joined(self.parts))


@dataclass(eq=False)
class Code(Definition):
    """A function, lambda or class, as its file has it."""

    fragment: Fragment | None = None
    is_lambda: bool = False
    owner: Any = None
    decorators: list[Parts] = field(default_factory=list)
    edits: list[tuple[int, int, Parts]] = field(default_factory=list)

    def write(self, text: Text) -> None:
        assert self.fragment is not None
        for decorator in self.decorators:
            text.generated("@" + joined(decorator))
        source = self.fragment.source
        edits: list[Edit] = []
        for start, end, parts in self.edits:
            new = joined(parts)
            if source[start:end] != new.encode():
                edits.append((start, end, new))
        if self.is_lambda:
            text.piece(self.fragment, edits, f"{self.name} = (", ")")
        else:
            text.piece(self.fragment, edits)


def joined(parts: Parts) -> str:
    """Text of parts, when names are known."""
    return "".join(part if isinstance(part, str) else part.name or part.wanted for part in parts)


def read_by(parts: Parts) -> list[Definition]:
    """Definitions that a text reads."""
    return [part for part in parts if isinstance(part, Definition)]


def give_names(definitions: Iterable[Definition], reserved: set[str]) -> None:
    """Gives each definition a name of its own: the one that it wants, where that is free."""
    decorators: list[tuple[Value, Code]] = []
    for d in definitions:
        # What only its decorator reads has the name of the whole, as in the file.
        code = d.decorated if isinstance(d, Value) else None
        if isinstance(d, Value) and code is not None and code.uses == 1 and code.wanted == d.wanted:
            d.become_decorator(code)
            decorators.append((d, code))
    merged = {id(value) for value, _ in decorators}
    used = set(reserved)
    for d in definitions:
        if isinstance(d, Builtin):
            d.name = d.wanted
        elif not isinstance(d, Statement) and id(d) not in merged:
            d.name = _free_name(d, used)
            used.add(d.name)
    for value, code in decorators:
        value.name = code.name


def _free_name(d: Definition, used: set[str]) -> str:
    base = re.sub(r"\W", "_", d.wanted)
    if not base.isidentifier() or keyword.iskeyword(base):
        base = "_" + base
    name, n = base, 1
    while name in used or any(name in bound and name != text for bound, text in d.readers):
        n += 1
        name = f"{base}_{n}"
    return name


def in_order(definitions: Iterable[Definition]) -> list[Definition]:
    """Definitions such that each comes after what it needs."""
    done: set[int] = set()
    order: list[Definition] = []
    for first in sorted(definitions, key=lambda d: d.rank):
        stack = [(first, iter(first.hard))]
        seen = {id(first)}
        while stack:
            d, rest = stack[-1]
            for needed in rest:
                if id(needed) not in done and id(needed) not in seen:
                    seen.add(id(needed))
                    stack.append((needed, iter(needed.hard)))
                    break
            else:
                stack.pop()
                if id(d) not in done:
                    done.add(id(d))
                    order.append(d)
    return order
