"""Functions of arrays of JAX, whose gradients are those of Gradus."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from ._function import Function
from ._neighbours import Slot, filled, leaves, mapped, pullback_of, slotted
from ._operators import _jitted

__all__ = ["jax"]


def jax(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f` for programs of JAX: within `jax.jit`, `jax.grad` of any order in reverse mode, and `jax.vmap`, which calls it row by row.

    Arrays and floats may be in tuples, lists, dicts and records. Ints, strings and functions are parts of the program: they are
    known when JAX traces.
    """
    _package()
    compiled = _jitted(f)

    @functools.wraps(f)
    def on_arrays(*args: Any, **kwargs: Any) -> Any:
        return _applied(compiled, args, kwargs)

    return on_arrays


def _package() -> ModuleType:
    try:
        return importlib.import_module("jax")
    except ImportError as e:
        raise ImportError("`gradus.jax` is for JAX, which is not installed: `pip install jax`") from e


def _applied(f: Function, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    jax = _package()
    tree, arrays = slotted((args, kwargs), _array)
    floats = [a for a in arrays if _has_floats(a)]
    # Programs have floats of 64 bits alone, beside arrays of 32 bits: their numbers are such if nothing else came in.
    number = jax.numpy.result_type(*floats) if floats else np.dtype(np.float64)
    call = _Call(f, tree, number, *_shapes(f, tree, number, arrays))
    return filled(call.result, _differentiable(call)(*arrays))


def _array(leaf: Any) -> Any:
    """An array of JAX; nothing of what is a part of the program."""
    jax = _package()
    return jax.numpy.asarray(leaf) if isinstance(leaf, (float, np.floating, np.ndarray, jax.Array)) else None


class _Call:
    """A call of a function: its arguments and its result with slots for arrays, and the shapes of those of the result."""

    def __init__(self, f: Function, arguments: Any, number: Any, result: Any, shapes: list[Any]) -> None:
        self.f = f
        self.arguments = arguments
        self.number = number
        self.result = result
        self.shapes = shapes

    def run(self, *arrays: Any) -> Any:
        """Makes XLA call the function."""

        def called(*values: Any) -> list[Any]:
            args, kwargs = filled(self.arguments, [_value(v) for v in values])
            return slotted(self.f(*args, **kwargs), functools.partial(_typed, self.number))[1]

        return _package().pure_callback(called, self.shapes, *arrays, vmap_method="sequential")

    def gradients(self, arrays: tuple[Any, ...], cotangents: list[Any]) -> tuple[Any, ...]:
        """The cotangents of the arrays."""
        args, kwargs = filled(self.arguments, arrays)
        cotangent = mapped(lambda leaf: cotangents[leaf] if type(leaf) is Slot and _has_floats(self.shapes[leaf]) else None, self.result)
        # JAX wants zeros without elements for what has no derivative.
        found: list[Any] = [np.zeros(a.shape, _package().dtypes.float0) for a in arrays]
        for leaf, part in leaves(self.arguments, _applied(pullback_of(self.f), (cotangent, *args), kwargs)):
            if type(leaf) is Slot and part is not None:
                found[leaf] = part.astype(arrays[leaf].dtype)
        return tuple(found)


def _differentiable(call: _Call) -> Any:
    """The function of arrays that makes a call, with its derivative."""
    run = _package().custom_vjp(call.run)
    # The derivative of the next order goes by the rule of this function, too.
    run.defvjp(lambda *arrays: (run(*arrays), arrays), call.gradients)
    return run


def _shapes(f: Function, tree: Any, number: Any, arrays: list[Any]) -> tuple[Any, list[Any]]:
    """The result with slots for arrays, and their shapes."""
    jax = _package()
    args, kwargs = filled(tree, [_value(np.zeros(a.shape, a.dtype)) for a in arrays])

    def shape(leaf: Any) -> Any:
        made = _typed(number, leaf)
        return None if made is None else jax.ShapeDtypeStruct(made.shape, made.dtype)

    return slotted(_shaped(f)(*args, **kwargs), shape)


def _has_floats(array: Any) -> bool:
    return bool(np.dtype(array.dtype).kind == "f")


def _typed(number: Any, leaf: Any) -> Any:
    """An array of a result with elements that JAX has; nothing if it is no array."""
    if leaf is None or isinstance(leaf, str):
        return None
    made = np.asarray(leaf, number if isinstance(leaf, float) else None)
    return made.astype(_package().dtypes.canonicalize_dtype(made.dtype), copy=False)


def _value(array: Any) -> Any:
    """An array as programs take it: without axes, a number."""
    array = np.asarray(array)
    return array if array.ndim else array.item()


@functools.lru_cache(maxsize=256)
def _shaped(f: Function) -> Function:
    """The function that gives zeros for what `f` gives: of `f`, nothing is left that runs but what it prints."""
    from jax.numpy import zeros_like
    from jax.tree_util import tree_map

    def shaped(*args, **kwargs):  # type: ignore[no-untyped-def]
        return tree_map(zeros_like, f(*args, **kwargs))

    return _jitted(shaped)
