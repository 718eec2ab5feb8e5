"""Functions of tensors of PyTorch, whose gradients are those of Gradus."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from ._function import Function
from ._neighbours import Slot, filled, leaves, mapped, pullback_of, slotted
from ._operators import _jitted

__all__ = ["torch"]


def torch(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f` on tensors of PyTorch on the CPU, with derivatives of any order; tensors may be in tuples, lists, dicts and records.

    Arrays and floats of the result are tensors. All else passes as it is.
    """
    _package()
    compiled = _jitted(f)

    @functools.wraps(f)
    def on_tensors(*args: Any, **kwargs: Any) -> Any:
        return _applied(compiled, args, kwargs)

    return on_tensors


def _package() -> ModuleType:
    try:
        import torch as package
    except ImportError as e:
        raise ImportError("`gradus.torch` is for PyTorch, which is not installed: `pip install torch`") from e
    return package


class _Call:
    """A call of a function, its tensors apart."""

    def __init__(self, f: Function, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.f = f
        (self.args, self.kwargs), self.tensors = slotted((args, kwargs), _tensor)
        floats = {t.dtype for t in self.tensors if t.is_floating_point()}
        # Programs have floats of 64 bits alone, beside arrays of 32 bits: their numbers are such if nothing else came in.
        self.dtype = floats.pop() if len(floats) == 1 else _package().float64
        self.result: Any = None

    def run(self, tensors: tuple[Any, ...], needs_gradient: bool) -> tuple[list[Any], Callable[[Any], Any] | None]:
        """The tensors of the result, and the pullback if it was to be kept and can be."""
        args, kwargs = filled((self.args, self.kwargs), [_value(t) for t in tensors])
        pullback = None
        if needs_gradient and not kwargs:
            try:
                result, pullback = self.f._held(args)
            except TypeError:
                # Of lists and trees whose size the run decides, no pullback is kept: the backward pass begins anew.
                result = self.f(*args)
        else:
            result = self.f(*args, **kwargs)
        self.result, made = slotted(result, self._made)
        return made, pullback

    def _made(self, leaf: Any) -> Any:
        torch = _package()
        if isinstance(leaf, float):
            return torch.tensor(leaf, dtype=self.dtype)
        return torch.from_numpy(leaf) if isinstance(leaf, np.ndarray) else None

    def cotangent(self, cotangents: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
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

    class Gradus(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, call: _Call, *tensors: Any) -> tuple[Any, ...]:
            outputs, ctx.pullback = call.run(tensors, any(ctx.needs_input_grad))
            ctx.call = call
            ctx.save_for_backward(*tensors)
            ctx.mark_non_differentiable(*(t for t in outputs if not t.is_floating_point()))
            return tuple(outputs)

        @staticmethod
        def backward(ctx: Any, *cotangents: Any) -> tuple[Any, ...]:
            call, tensors = ctx.call, ctx.saved_tensors
            if ctx.pullback is not None and not torch.is_grad_enabled():
                gradients = (ctx.pullback(call.cotangent(cotangents, _value)), {})
            else:
                # A derivative is taken of this pass, or nothing was kept.
                args, kwargs = filled((call.args, call.kwargs), tensors)
                gradients = _applied(pullback_of(call.f), (call.cotangent(cotangents, lambda t: t), *args), kwargs)
            found: list[Any] = [None] * len(tensors)
            for leaf, part in leaves((call.args, call.kwargs), gradients):
                if type(leaf) is Slot and part is not None and ctx.needs_input_grad[leaf + 1]:
                    found[leaf] = torch.as_tensor(part, dtype=tensors[leaf].dtype)
            return (None, *found)

    return Gradus
