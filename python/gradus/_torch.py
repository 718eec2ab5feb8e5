"""Functions of tensors of PyTorch, whose gradients are those of Gradus."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from copy import copy
from types import ModuleType
from typing import Any

import numpy as np

from ._errors import CompileError
from ._function import Function
from ._neighbours import Slot, filled, leaves, mapped, pullback_of, slotted, tangent_of
from ._operators import _jitted

__all__ = ["torch"]


def torch(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f` on tensors of PyTorch on the CPU, for `backward` and `torch.func`, forwards and in reverse, to any order.

    Tensors may be in tuples, lists, dicts and records. Arrays and floats of the result are tensors. All else passes as it is.
    """
    _package()
    compiled = _jitted(f)

    @functools.wraps(f)
    def on_tensors(*args: Any, **kwargs: Any) -> Any:
        return _applied(compiled, args, kwargs)

    return on_tensors


def _package() -> ModuleType:
    try:
        return importlib.import_module("torch")
    except ImportError as e:
        raise ImportError("`gradus.torch` is for PyTorch, which is not installed: `pip install torch`") from e


class _Call:
    """A call of a function, its tensors apart."""

    def __init__(self, f: Function, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        torch = _package()
        self.f = f
        self.arguments, self.tensors = slotted((args, kwargs), _tensor)
        floats = {t.dtype for t in self.tensors if t.is_floating_point()}
        # Programs have floats of 64 bits alone, beside arrays of 32 bits: their numbers are such if nothing else came in.
        self.dtype = floats.pop() if len(floats) == 1 else torch.float64
        self.needs_gradient = torch.is_grad_enabled() and any(t.requires_grad for t in self.tensors)
        self.result: Any = None
        self.pullback: Callable[[Any], Any] | None = None

    def run(self, tensors: tuple[Any, ...]) -> tuple[Any, ...]:
        """The tensors of the result; keeps the pullback if a gradient may be asked for."""
        args, kwargs = filled(self.arguments, [_value(t) for t in tensors])
        if self.needs_gradient and not kwargs:
            try:
                result, self.pullback = self.f._held(args)
            except (TypeError, CompileError):
                # Where sizes are for the run to say, no pullback is kept: the backward pass begins anew.
                result = self.f(*args)
        else:
            result = self.f(*args, **kwargs)
        self.result, made = slotted(result, self._made)
        return tuple(made)

    def _made(self, leaf: Any) -> Any:
        torch = _package()
        if isinstance(leaf, float):
            return torch.tensor(leaf, dtype=self.dtype)
        return torch.from_numpy(leaf) if isinstance(leaf, np.ndarray) else None

    def gradients(self, tensors: tuple[Any, ...], cotangents: tuple[Any, ...]) -> list[Any]:
        """The cotangents of the tensors, for those of the tensors of the result."""
        torch = _package()
        if self.pullback is not None and not torch.is_grad_enabled():
            found: Any = (self.pullback(self._cotangent(cotangents, _value)), {})
        else:
            # A derivative is taken of this pass, or nothing was kept.
            args, kwargs = filled(self.arguments, tensors)
            found = _applied(pullback_of(self.f), (self._cotangent(cotangents, lambda t: t), *args), kwargs)
        parts: list[Any] = [None] * len(tensors)
        for leaf, part in leaves(self.arguments, found):
            if type(leaf) is Slot and part is not None:
                parts[leaf] = torch.as_tensor(part, dtype=tensors[leaf].dtype)
        return parts

    def tangents(self, tensors: tuple[Any, ...], given: tuple[Any, ...]) -> list[Any]:
        """The tangents of the tensors of the result, for those of the tensors."""
        directions = mapped(lambda leaf: given[leaf] if type(leaf) is Slot else None, self.arguments)
        found = _applied(tangent_of(self.f), (filled(self.arguments, tensors), directions), {})
        return [part for leaf, part in leaves(self.result, found) if type(leaf) is Slot]

    def _cotangent(self, cotangents: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
        """The cotangent of the result: that of each tensor of floats, and nothing for all else."""

        def of(leaf: Any) -> Any:
            has_one = type(leaf) is Slot and cotangents[leaf].is_floating_point()
            return change(cotangents[leaf]) if has_one else None

        return mapped(of, self.result)


def _tensor(leaf: Any) -> Any:
    """A tensor that programs take; nothing if it is none."""
    torch = _package()
    if not isinstance(leaf, torch.Tensor):
        return None
    if leaf.device.type != "cpu":
        raise TypeError(f"a tensor is on the device `{leaf.device}`, and Gradus runs on the CPU: hand it `x.cpu()`")
    if leaf.dtype not in (torch.float64, torch.float32, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool):
        raise TypeError(f"a tensor has elements of `{leaf.dtype}`; Gradus takes float64, float32, ints and bools")
    return leaf


def _value(tensor: Any) -> Any:
    """A tensor as programs take it: without axes, a number."""
    tensor = tensor.detach()
    return tensor.item() if tensor.ndim == 0 else tensor.numpy()


def _applied(f: Function, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    call = _Call(f, args, kwargs)
    outputs = _node().apply(call, *call.tensors)
    return filled(call.result, outputs)


@functools.cache
def _node() -> Any:
    """The class of nodes in graphs of PyTorch."""
    torch = _package()
    base: Any = torch.autograd.Function

    class Gradus(base):  # type: ignore[misc]
        @staticmethod
        def forward(call: _Call, *tensors: Any) -> tuple[Any, ...]:
            return call.run(tensors)

        @staticmethod
        def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Any, ...]) -> None:
            ctx.call, *tensors = inputs
            ctx.save_for_backward(*tensors)
            ctx.save_for_forward(*tensors)
            ctx.mark_non_differentiable(*(t for t in output if not t.is_floating_point()))

        @staticmethod
        def backward(ctx: Any, *cotangents: Any) -> tuple[Any, ...]:
            return (None, *ctx.call.gradients(ctx.saved_tensors, cotangents))

        @staticmethod
        def jvp(ctx: Any, _: None, *tangents: Any) -> tuple[Any, ...]:
            return tuple(ctx.call.tangents(ctx.saved_tensors, tangents))

        @staticmethod
        def vmap(info: Any, in_dims: tuple[Any, ...], call: _Call, *tensors: Any) -> tuple[Any, Any]:
            """Row by row, each a call of its own, which keeps its pullback."""
            calls = [copy(call) for _ in range(info.batch_size)]
            rows = [[t if d is None else t.select(d, i) for t, d in zip(tensors, in_dims[1:], strict=True)] for i in range(len(calls))]
            columns = list(zip(*(Gradus.apply(own, *row) for own, row in zip(calls, rows, strict=True)), strict=True))
            call.result = calls[-1].result
            return tuple(map(torch.stack, columns)), (0,) * len(columns)

    return Gradus
