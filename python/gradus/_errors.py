"""Exceptions of the package: what the compiler refuses, and what a program fails with."""

from __future__ import annotations

import builtins
import re
from collections.abc import Mapping
from typing import Any

__all__ = ["CompileError", "Error", "InternalError", "Trap", "Unsupported"]


class Error(Exception):
    """Why there is no answer: the message with the line of the user's file, a caret and a hint."""

    diagnostics: list[dict[str, Any]]
    """One dict for each complaint: `message`, `hint`, `file`, `line`, `column` and `labels`."""
    filename: str | None
    lineno: int | None

    def __init__(self, message: str, diagnostics: list[dict[str, Any]] | None = None) -> None:
        try:
            super().__init__(message)
        except Exception:
            # What a program raises may be of a class of the user's whose instances are made of something else.
            Exception.__init__(self, message)
        self.args = (message,)
        self.diagnostics = diagnostics or []
        place = next((d for d in self.diagnostics if d.get("line") is not None), {})
        self.filename = place.get("file")
        self.lineno = place.get("line")

    def __str__(self) -> str:
        # Not as `KeyError` writes it.
        return str(self.args[0])


class CompileError(Error):
    """A function that cannot be compiled, or not differentiated."""


class Unsupported(CompileError):
    """A function that uses a part of Python that Gradus does not cover."""


class InternalError(Error):
    """A fault of Gradus itself."""


class Trap(Error):
    """A program that fails while it runs."""


class _ZeroDivision(Trap, ZeroDivisionError):
    pass


class _Overflow(Trap, OverflowError):
    pass


class _Index(Trap, IndexError):
    pass


class _Recursion(Trap, RecursionError):
    pass


class _Memory(Trap, MemoryError):
    pass


class _Value(Trap, ValueError):
    pass


class _Type(Trap, TypeError):
    pass


class _Float(Trap, FloatingPointError):
    pass


class _Arguments(Error, TypeError):
    """Arguments that a function does not take."""


_KINDS: dict[str, type[Error]] = {
    "Refused": CompileError,
    "Unsupported": Unsupported,
    "Internal": InternalError,
    "Arguments": _Arguments,
    "IntegerOverflow": _Overflow,
    "DivisionByZero": _ZeroDivision,
    "ZeroDenominator": _ZeroDivision,
    "NegativeExponent": _Value,
    "FloatToInt": _Value,
    "ZeroStep": _Value,
    "RecursionLimit": _Recursion,
    "OutOfMemory": _Memory,
    "IndexOutOfRange": _Index,
    "WrongKind": _Type,
    "NotFinite": _Float,
    "Failed": Trap,
}
def _name(kind: type[Error]) -> None:
    """Programs catch a failure as `Trap`, or as what Python raises there; the classes of both have no name of their own."""
    if kind.__name__.startswith("_"):
        kind.__name__ = kind.__qualname__ = next(base.__name__ for base in kind.__mro__[1:] if base.__name__[0] != "_")
    kind.__module__ = "gradus"


_name(Error)
for _kind in _KINDS.values():
    _name(_kind)


_MADE: dict[int, tuple[type, type[Error]]] = {}
"""The classes that users raised, and those of what came of that."""


def _raised(own: type[Exception]) -> type[Error]:
    """The class of what a program raises itself: it is the class that the user raised, and a `Trap`."""
    known = _MADE.get(id(own))
    if known is None:
        known = _MADE[id(own)] = (own, _with_trap(own))
    return known[1]


def _with_trap(own: type[Exception]) -> type[Error]:
    is_builtin = own.__module__ == "builtins"
    try:
        return type("Trap" if is_builtin else own.__name__, (Trap, own), {"__module__": "gradus" if is_builtin else own.__module__})
    except TypeError:
        # A class that has no others below it, or not beside this one.
        return Trap


def made(
    kind: str, message: str, rendered: str, diagnostics: list[dict[str, Any]], classes: Mapping[str, type] | None = None
) -> Error:
    """The exception for a failure, as the native part asks for it; `classes` are those of the user, by their names in the program."""
    text = rendered.removeprefix("error: ").rstrip()
    if kind == "Failed":
        found = re.match(r"\w+", message)
        name = found.group() if found else ""
        own = (classes or {}).get(name) or getattr(builtins, name, None)
        if not (isinstance(own, type) and issubclass(own, Exception)):
            return Trap(text or message, diagnostics)
        if own.__name__ != name:
            text = text.replace(f"{name}:", f"{own.__name__}:", 1)
        return _raised(own)(text or message, diagnostics)
    return _KINDS[kind](text or message, diagnostics)
