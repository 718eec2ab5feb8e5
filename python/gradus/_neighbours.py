"""What functions for PyTorch and for JAX share: calls whose arrays are apart, and pullbacks as functions."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from ._function import Function
from ._operators import _jitted, jvp, vjp

__all__ = ["Slot", "filled", "leaves", "mapped", "pullback_of", "slotted", "tangent_of"]


class Slot(int):
    """Stands in a tree for the leaf with this number."""


def mapped(change: Callable[..., Any], tree: Any, *others: Any) -> Any:
    """The tree with `change(leaf, *parts)` for each leaf; parts are those of other trees there, or `None` where a tree is `None`.

    Trees are tuples, lists, dicts, named tuples and dataclasses.
    """
    kind = type(tree)
    if kind in (tuple, list):
        return kind(_items(change, tree, others))
    if isinstance(tree, tuple) and hasattr(kind, "_fields"):
        return kind(*_items(change, tree, others))
    if isinstance(tree, dict):
        return {k: mapped(change, v, *(None if o is None else o[k] for o in others)) for k, v in tree.items()}
    if is_dataclass(kind) and not isinstance(tree, type):
        names = [f.name for f in fields(kind) if f.init]
        return kind(**{n: mapped(change, getattr(tree, n), *(None if o is None else getattr(o, n) for o in others)) for n in names})
    return change(tree, *others)


def _items(change: Callable[..., Any], tree: Any, others: tuple[Any, ...]) -> list[Any]:
    return [mapped(change, item, *(None if o is None else o[i] for o in others)) for i, item in enumerate(tree)]


def leaves(tree: Any, other: Any) -> list[tuple[Any, Any]]:
    """The leaves of a tree in order, each with the part of another tree there."""
    found: list[tuple[Any, Any]] = []
    mapped(lambda leaf, part: found.append((leaf, part)), tree, other)
    return found


def slotted(tree: Any, taken: Callable[[Any], Any]) -> tuple[Any, list[Any]]:
    """The tree with slots for the leaves of which `taken` gives something else than `None`, and what it gives."""
    found: list[Any] = []

    def slot(leaf: Any) -> Any:
        made = taken(leaf)
        if made is None:
            return leaf
        found.append(made)
        return Slot(len(found) - 1)

    return mapped(slot, tree), found


def filled(tree: Any, values: Sequence[Any]) -> Any:
    """The tree with these values in its slots."""
    return mapped(lambda leaf: values[leaf] if type(leaf) is Slot else leaf, tree)


@functools.lru_cache(maxsize=256)
def pullback_of(f: Function) -> Function:
    """The function of a cotangent and arguments of `f` that gives their cotangents, by place and by name."""

    def pullback(cotangent, *args, **kwargs):  # type: ignore[no-untyped-def]
        return vjp(lambda args, kwargs: f(*args, **kwargs), args, kwargs)[1](cotangent)

    return Function(pullback, shown=pullback, options=f._own_options)


@functools.lru_cache(maxsize=256)
def tangent_of(f: Function) -> Function:
    """The function of arguments of `f`, by place and by name, and of their tangents that gives that of the result."""

    def tangent(arguments, tangents):  # type: ignore[no-untyped-def]
        return jvp(lambda args, kwargs: f(*args, **kwargs), arguments, tangents)[1]

    return _jitted(tangent)
