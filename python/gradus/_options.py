"""Choices of the compiler: how derivatives are taken, and what runs them."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from ._native import bypass

__all__ = ["current", "frozen", "options", "settled"]

PLUGIN = "GRADUS_XLA_PLUGIN"
"""Environment variable with the path of a plugin of XLA."""

_CURRENT: ContextVar[Mapping[str, Any]] = ContextVar("gradus_options", default={})


def current() -> Mapping[str, Any]:
    """The choices that hold here, beside the defaults."""
    return _CURRENT.get()


def frozen(choices: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """The choices as a key of a dict."""
    return tuple(sorted((name, tuple(v) if isinstance(v, list) else v) for name, v in choices.items()))


def settled(choices: Mapping[str, Any]) -> dict[str, Any]:
    """The choices, with the plugin of XLA that is there if none is named."""
    if choices.get("backend") != "xla" or "plugin" in choices:
        return dict(choices)
    return {**choices, "plugin": os.environ.get(PLUGIN) or _installed()}


def _installed() -> str:
    """The plugin of the package of XLA for CPUs."""
    try:
        package = importlib.import_module("xla_plugins.xla_cpu_pjrt")
    except ImportError:
        needed = f'`plugin="…"`, the environment variable {PLUGIN}, or the package `xla_plugins.xla_cpu_pjrt`'
        raise ValueError(f'the option `backend="xla"` needs a plugin of XLA: {needed}') from None
    return str(Path(package.__path__[0]) / "xla_cpu_pjrt.so")


@contextmanager
def options(**choices: Any) -> Iterator[None]:
    """Calls within the `with` are compiled under these choices.

    `strategy` is "auto", "closure", "stack", "checkpoint" or "trace", or a list of these, one for each order; `slots` how many states of a loop
    "checkpoint" keeps at a time; `math` "exact" or "fast"; `backend` "jit",
    "interp" or "xla"; `simplify` "interleaved", "end" or "off"; `closures` "tapes", "tags" or "objects"; `recompute` the number of cheap
    operations that a value may take to be computed again rather than recorded; with `trap_nan=True` a call fails, with a
    `FloatingPointError`, at the first float of the value or of a derivative that is NaN or infinite; `interrupt=False` gives loops that do
    not look whether Ctrl-C was pressed. For XLA, `plugin` is the path of its plugin, `mesh` are the axes of a grid of devices, as "data=4", and `shard` the
    arguments that are split over them, as "x=data,w=:model"; the result is called "return".
    """
    token = _CURRENT.set({**_CURRENT.get(), **choices})
    # What functions have found for the choices outside does not hold here.
    bypass(1)
    try:
        yield
    finally:
        bypass(-1)
        _CURRENT.reset(token)
