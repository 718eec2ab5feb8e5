"""Choices of the compiler: how derivatives are taken, and what runs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ._native import bypass

__all__ = ["current", "frozen", "options"]

_CURRENT: ContextVar[Mapping[str, Any]] = ContextVar("gradus_options", default={})


def current() -> Mapping[str, Any]:
    """The choices that hold here, beside the defaults."""
    return _CURRENT.get()


def frozen(choices: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """The choices as a key of a dict."""
    return tuple(sorted((name, tuple(v) if isinstance(v, list) else v) for name, v in choices.items()))


@contextmanager
def options(**choices: Any) -> Iterator[None]:
    """Calls within the `with` are compiled under these choices.

    `strategy` is "auto", "closure" or "stack", or a list of these, one for each order; `math` "exact" or "fast"; `backend` "jit" or
    "interp"; `simplify` "interleaved", "end" or "off"; `closures` "tapes", "tags" or "objects"; `recompute` the number of cheap
    operations that a value may take to be computed again rather than recorded; `interrupt=False` gives loops that do not look whether
    Ctrl-C was pressed.
    """
    token = _CURRENT.set({**_CURRENT.get(), **choices})
    # What functions have found for the choices outside does not hold here.
    bypass(1)
    try:
        yield
    finally:
        bypass(-1)
        _CURRENT.reset(token)
