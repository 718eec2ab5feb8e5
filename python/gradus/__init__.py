"""Gradus: gradients of live Python functions as native code.

    >>> import gradus
    >>> gradus.grad(lambda x: x ** 3)(2.0)
    12.0
"""

from ._capture import NoSource
from ._errors import CompileError, Error, InternalError, Trap, Unsupported
from ._export import Exported, export, load_exported
from ._function import CacheInfo, Function, clear_cache
from ._jax import jax
from ._operators import (
    Box,
    checkpoint,
    checkpoint_loop,
    custom_jvp,
    custom_vjp,
    fixed_point,
    forwarddiff,
    grad,
    hessian,
    hook,
    hvp,
    jacfwd,
    jacobian,
    jacrev,
    jet,
    jit,
    jvp,
    linearize,
    nestlevel,
    stop_gradient,
    taylor,
    value_and_grad,
    vjp,
    vmap,
)
from ._options import options
from ._study import Study, program, study
from ._torch import torch
