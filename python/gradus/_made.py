"""Functions that JAX, Autograd and NumPy made of others: no source has them, but what they keep says of which function they are made, and how."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any


@dataclass(frozen=True)
class Made:
    """The call of a function of a library that makes such a function again."""

    module: str
    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any] = field(default_factory=dict)


def made_by(value: Any) -> Made | None:
    """How a function was made; nothing of others."""
    kind = type(value)
    if kind.__name__ == "vectorize" and kind.__module__ == "numpy":
        return None if value.excluded or value.signature else Made("numpy", "vectorize", (value.pyfunc,))
    if kind.__name__ == "custom_vjp" and kind.__module__.startswith("jax.") and _written(value.fun) == ("jax._src.custom_derivatives", "wrapped_fun"):
        return Made("jax", "custom_gradient", (_cells(value.fun)["fun"],))
    if not isinstance(value, FunctionType):
        return None
    cells = _cells(value)
    module, name = _written(value)
    if module == "jax._src.traceback_util":
        return made_by(cells.get("fun"))
    if (module, name) == ("jax._src.ad_checkpoint", "fun_remat"):
        return Made("jax", "checkpoint", (cells["fun"],))
    if (module, name) == ("jax._src.numpy.vectorize", "wrapped"):
        return None if cells["excluded"] or cells["signature"] else Made("numpy", "vectorize", (cells["pyfunc"],))
    if (module, name) == ("autograd.wrap_util", "nary_f"):
        is_plain = not cells["nary_op_args"] and not cells["nary_op_kwargs"]
        return Made("autograd", cells["unary_operator"].__name__, (cells["fun"], cells["argnum"])) if is_plain else None
    if (module, name) == ("autograd.tracer", "f_wrapped"):
        return Made("autograd.extend", "primitive", (cells["f_raw"],))
    return _of_jax(name, cells) if module == "jax._src.api" else None


def _of_jax(name: str, cells: dict[str, Any]) -> Made | None:
    """What the operators of JAX make."""
    if name in ("grad_f", "grad_f_aux"):
        both = made_by(cells["value_and_grad_f"])
        return both and Made("jax", "grad", both.args, both.kwargs)
    makers = {"value_and_grad_f": "value_and_grad", "vmap_f": "vmap", "jacfun": "jacrev" if "allow_int" in cells else "jacfwd"}
    usual = {"argnums": 0, "has_aux": False, "in_axes": 0, "out_axes": 0}
    kwargs = {k: cells[k] for k, v in usual.items() if k in cells and cells[k] != v}
    return Made("jax", makers[name], (cells["fun"],), kwargs) if name in makers else None


def rules_of(primitive: Any) -> list[Made]:
    """The calls that give a primitive of Autograd its derivatives."""
    core = sys.modules["autograd.core"]
    rules: list[Made] = []
    for maker, known in (("defvjp", core.primitive_vjps), ("defjvp", core.primitive_jvps)):
        rule = known.get(primitive)
        if rule is None:
            continue
        listed = _cells(rule).get("vjps_dict" if maker == "defvjp" else "jvps_dict")
        if not isinstance(listed, dict):
            return []
        # Those that are none became functions that give zero.
        functions = tuple(None if _written(f)[0] == "autograd.core" else f for f in listed.values())
        rules.append(Made("autograd.extend", maker, (primitive, *functions), {"argnums": tuple(listed)}))
    return rules


def _written(function: Any) -> tuple[str, str]:
    """The module of a function, and its name there: others have copied their names to it."""
    if not isinstance(function, FunctionType):
        return "", ""
    return str(function.__globals__.get("__name__")), function.__code__.co_name


def _cells(function: Any) -> dict[str, Any]:
    cells = getattr(function, "__closure__", None) or ()
    return {name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, cells, strict=True)} if cells else {}
