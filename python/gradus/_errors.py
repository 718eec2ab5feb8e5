"""Exceptions of the package: what the compiler refuses, and what a program fails with."""

from __future__ import annotations

import builtins
import functools
import re
from typing import Any

__all__ = ["CompileError", "Error", "InternalError", "Trap", "Unsupported"]


class Error(Exception):
    """Why there is no answer: the message with the line of the user's file, a caret and a hint."""

    diagnostics: list[dict[str, Any]]
    """One dict for each complaint: `message`, `hint`, `file`, `line`, `column` and `labels`."""
    filename: str | None
    lineno: int | None

    def __init__(self, message: str, diagnostics: list[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
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


@functools.cache
def _raised(name: str) -> type[Error]:
    """The class of what a program raises itself, by the name of the exception: it is that, and a `Trap`."""
    own = getattr(builtins, name, None)
    if not (isinstance(own, type) and issubclass(own, Exception)):
        return Trap
    try:
        made = type("Trap", (Trap, own), {"__module__": "gradus"})
        made("probe", [])
    except TypeError:
        # An exception that is made in another way.
        return Trap
    return made


def made(kind: str, message: str, rendered: str, diagnostics: list[dict[str, Any]]) -> Error:
    """The exception for a failure, as the native part asks for it."""
    text = rendered.removeprefix("error: ").rstrip()
    if kind == "Failed":
        name = re.match(r"\w+", message)
        return _raised(name.group() if name else "")(text or message, diagnostics)
    return _KINDS[kind](text or message, diagnostics)
