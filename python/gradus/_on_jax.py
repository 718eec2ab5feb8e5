"""Exported programs as functions of JAX."""

from __future__ import annotations

import dataclasses
import functools
import importlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import Error
from ._jax import _package
from ._trees import Tree

if TYPE_CHECKING:
    from ._export import Exported

__all__ = ["flat", "on_trees"]

_TYPES = {"f64": np.float64, "f32": np.float32, "i64": np.int64, "i32": np.int32, "i1": np.bool_}


def on_trees(exported: Exported) -> Callable[..., Any]:
    """The function of trees that runs a program."""
    _package()

    def run(*args: Any, **kwargs: Any) -> Any:
        wide = [t for t in (*exported.params, *exported.results) if t.endswith(("f64>", "i64>"))]
        if wide and _package().dtypes.canonicalize_dtype(np.float64) != np.float64:
            how = 'jax.config.update("jax_enable_x64", True)'
            raise Error(f"`{exported.name}` has numbers of 64 bits, which JAX does not have until `{how}` is called")
        found = iter(exported._flat(*_tensors(exported, args, kwargs)))
        return exported._result.built(lambda leaf: _joined(leaf, found), exported._classes)

    run.__name__ = run.__qualname__ = exported.name
    run.__doc__ = f"`{exported.name}`, exported by Gradus."
    return run


def flat(exported: Exported) -> Callable[..., Any]:
    """The function of tensors that runs a program, with its derivative."""
    jax = _package()
    program, has_status = _program(exported), bool(exported.faults)

    def run(*tensors: Any) -> tuple[Any, ...]:
        found = program(*tensors, *exported._constants)
        if not has_status:
            return tuple(found)
        status, *found = found
        return tuple(_or_nan(status, tensor) for tensor in found)

    # The derivative of the next order goes by the rule of the pullback.
    differentiable = jax.custom_vjp(jax.jit(run))
    differentiable.defvjp(lambda *tensors: (differentiable(*tensors), tensors), functools.partial(_pulled, exported))
    made: Callable[..., Any] = differentiable
    return made


def _or_nan(status: Any, tensor: Any) -> Any:
    jnp = _package().numpy
    return jnp.where(status == 0, tensor, jnp.nan) if jnp.issubdtype(tensor.dtype, jnp.floating) else tensor


def _pulled(exported: Exported, tensors: tuple[Any, ...], cotangents: tuple[Any, ...]) -> tuple[Any, ...]:
    """The cotangents of tensors that a program takes. JAX takes `None` for zeros, and for what has no derivative."""
    if not exported._is_differentiable():
        return (None,) * len(tensors)
    pullback, found = exported._pullback, iter(cotangents)
    of_result = [(leaf, [next(found) for _ in range(leaf.tensors())]) for leaf in exported._result.leaves()]
    given = [tensor for leaf, parts in of_result if leaf.is_float() for tensor in parts]
    results = iter(pullback._flat(*given, *tensors))
    parts = pullback._result.built(lambda leaf: _joined(leaf, results), pullback._classes)
    pulled: list[Any] = []
    trees = [(a.tree, a.name) for a in exported._arguments if a.tree is not None]
    for (tree, name), part in zip(trees, parts, strict=True):
        for leaf, of_leaf, _ in tree.paired(part, name, exported._classes, loosely=True):
            pulled += _split(leaf, of_leaf if leaf.is_float() else None)
    return tuple(None if p is None else p.astype(t.dtype) for p, t in zip(pulled, tensors, strict=True))


def _tensors(exported: Exported, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
    """The tensors of a call, refused where they are not those that the program is for."""
    given: dict[int | str, Any] = dict(enumerate(args))
    given.update(kwargs)
    for argument in exported._arguments:
        if argument.key not in given and argument.name in kwargs:
            given[argument.key] = given.pop(argument.name)
    keys = [argument.key for argument in exported._arguments]
    if set(given) != set(keys):
        names = [f"{a.key}=" if isinstance(a.key, str) else a.name for a in exported._arguments]
        raise TypeError(f"`{exported.name}` is exported for the arguments ({', '.join(names)}), and not for ({', '.join(map(str, given))})")
    tensors: list[Any] = []
    for argument in exported._arguments:
        value = given[argument.key]
        if argument.tree is not None:
            for leaf, part, name in argument.tree.paired(value, argument.name, exported._classes):
                tensors += _split(leaf, _checked(leaf, part, name))
        elif value is not argument.value and not (isinstance(value, str) and value == argument.value):
            raise Tree("text", detail=argument.value).other(argument.name, repr(value))
    return tensors


def _checked(leaf: Tree, value: Any, name: str) -> Any:
    """An array of JAX; what is of another type or shape is refused."""
    jnp = _package().numpy
    if leaf.is_known():
        if isinstance(value, _package().core.Tracer):
            raise leaf.other(name, "a value that JAX traces")
        if np.ndim(value) or bool(value != leaf.detail):
            raise leaf.other(name, repr(value))
    wanted, shape = leaf.detail if leaf.kind == "array" else (leaf.kind, ())
    found = value if hasattr(value, "dtype") and hasattr(value, "shape") else jnp.asarray(value)
    kind = "complex" if found.dtype.kind == "c" else {"f": "float", "i": "int", "u": "int", "b": "bool"}.get(found.dtype.kind, "")
    # Ints of any size are those of 64 bits, and a number is one of 64 bits; arrays of floats are of their own size.
    is_fit = kind == wanted if wanted in ("float", "int", "bool", "complex") else found.dtype == wanted or wanted == "int64" and kind == "int"
    if not is_fit or tuple(found.shape) != tuple(shape):
        of = f"{wanted}{list(shape)}" if leaf.kind == "array" else wanted
        raise TypeError(f"`{name}` is {of} in the exported program, and {found.dtype}{list(found.shape)} is given")
    dtype = {"float": "float64", "int": "int64", "complex": "complex128"}.get(wanted, wanted)
    return found if isinstance(found, _package().Array) and found.dtype == dtype else jnp.asarray(found, dtype)


def _split(leaf: Tree, array: Any) -> list[Any]:
    """The tensors of a leaf."""
    if leaf.kind != "complex":
        return [array]
    return [None, None] if array is None else [_package().numpy.real(array), _package().numpy.imag(array)]


def _joined(leaf: Tree, tensors: Iterator[Any]) -> Any:
    """A leaf that is made of the next tensors."""
    parts = [next(tensors) for _ in range(leaf.tensors())]
    return _package().lax.complex(*parts) if leaf.kind == "complex" else parts[0]


def _program(exported: Exported) -> Callable[..., Any]:
    """A function of JAX that calls the program: a stand-in of the same types is exported by JAX, and its program replaced."""
    jax = _package()
    results = ["tensor<i32>"] * bool(exported.faults) + exported.results
    params, given = [[_shape(text) for text in texts] for texts in (exported.params, results)]

    def stand_in(*tensors: Any) -> Any:
        return tuple(jax.numpy.zeros(r.shape, r.dtype) for r in given)

    export = importlib.import_module("jax.export")
    made = export.export(jax.jit(stand_in), disabled_checks=[export.DisabledSafetyCheck.platform()])(*params)
    made = dataclasses.replace(
        made,
        fun_name=exported.name,
        mlir_module_serialized=_portable(exported.stablehlo),
        module_kept_var_idx=tuple(range(len(params))),
    )
    function: Callable[..., Any] = jax.custom_batching.sequential_vmap(made.call)
    return function


def _portable(text: str) -> bytes:
    """The program in the form that JAX keeps programs in. The only function of jaxlib that is no part of JAX's own interface."""
    dialect: Any = importlib.import_module("jaxlib.mlir.dialects.stablehlo")
    portable: bytes = dialect.serialize_portable_artifact_str(text, dialect.get_minimum_version())
    return portable


def _shape(text: str) -> Any:
    """The shape that a type of StableHLO says, as `tensor<4x2xf64>`."""
    *sizes, element = text.removeprefix("tensor<").removesuffix(">").split("x")
    return _package().ShapeDtypeStruct(tuple(map(int, sizes)), _TYPES[element])
