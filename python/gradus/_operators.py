"""The operators of the language on live functions: what a file says inside of a compiled function, it may say outside."""

from __future__ import annotations

import inspect
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from ._capture import Apply
from ._function import COUNTING, Function, Same

__all__ = [
    "Box",
    "checkpoint",
    "checkpoint_loop",
    "custom_jvp",
    "custom_vjp",
    "fixed_point",
    "forwarddiff",
    "grad",
    "hessian",
    "hook",
    "hvp",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jet",
    "jit",
    "jvp",
    "linearize",
    "nestlevel",
    "stop_gradient",
    "taylor",
    "value_and_grad",
    "vjp",
    "vmap",
]

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
Arguments = int | str | Sequence[int | str]

# What operators made lately. It is bounded: what is kept holds the function that it was made of, and so the arrays of its closure.
_MADE: OrderedDict[Any, Function] = OrderedDict()
_MOST = 256
_LOCK = threading.RLock()


def _kept(key: Any, make: Callable[[], Function]) -> Function:
    """What was made for a key lately, or is made now."""
    with _LOCK:
        known = _MADE.get(key)
        if known is None:
            known = _MADE[key] = make()
            while len(_MADE) > _MOST:
                _MADE.popitem(last=False)
        else:
            _MADE.move_to_end(key)
        return known


def _check(name: str, f: Any) -> None:
    if not callable(f):
        raise TypeError(f"`{name}` takes a function, not a `{type(f).__name__}`")


def _made(name: str, f: Any, derivative: str = "", wrt: Arguments | None = None, allow_int: bool = False, **kwargs: Any) -> Function:
    """The function that an operator makes of another one: the same for the same, so that it is compiled once."""
    _check(name, f)
    names = _parameters(f)
    if wrt is not None:
        kwargs["argnums"] = wrt = _places(name, wrt, names)
    kwargs = {k: tuple(v) if isinstance(v, list) else v for k, v in kwargs.items()}
    differentiated: tuple[int | str, ...] = () if wrt is None else (wrt,) if isinstance(wrt, (int, str)) else tuple(wrt)

    def make() -> Function:
        # An argument may be given by its place or by its name.
        named = [names[w] for w in differentiated if isinstance(w, int) and 0 <= w < len(names)]
        placed = [names.index(w) for w in differentiated if isinstance(w, str) and w in names]
        both = (*differentiated, *named, *placed)
        return Function(Apply(name, (f,), kwargs), shown=f, derivative=derivative, differentiated=both, allow_int=allow_int)

    key = (name, Same(f), tuple(kwargs.items()), allow_int)
    try:
        hash(key)
    except TypeError:
        # Axes may be given as dicts.
        return make()
    return _kept(key, make)


def _parameters(f: Any) -> list[str]:
    """The names of the arguments of a function, those by place first; none where they are not known."""
    try:
        parameters = inspect.signature(f, follow_wrapped=False).parameters.values()
    except (TypeError, ValueError):
        return []
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        return []
    return [p.name for p in parameters]


def _places(name: str, wrt: Arguments, names: list[str]) -> Arguments:
    """The arguments in which a derivative is taken: those that are said by their names by their numbers, where an operator counts."""

    def place(one: int | str) -> int | str:
        if not isinstance(one, str) or not names:
            return one
        if one not in names:
            raise ValueError(f"`{name}`: there is no argument `{one}`; there are {', '.join(names)}")
        return names.index(one) if name in COUNTING else one

    return place(wrt) if isinstance(wrt, (int, str)) else tuple(place(one) for one in wrt)


def _jitted(f: Any) -> Function:
    """A function as native code: the same for the same, so that it is compiled once."""
    return f if isinstance(f, Function) else _kept(("jit", Same(f)), lambda: Function(f, shown=f))


def _run(name: str, *args: Any, **kwargs: Any) -> Any:
    """What an operator gives that is called with a function and values."""
    _check(name, args[0])
    operator = globals()[name]
    derivative = "all" if name == "hvp" else ""
    return _kept((name,), lambda: Function(operator, shown=operator, derivative=derivative))(*args, **kwargs)


@overload
def jit(f: Callable[..., T], **options: Any) -> Function: ...
@overload
def jit(f: None = None, **options: Any) -> Callable[[Callable[..., Any]], Function]: ...
def jit(f: Any = None, **options: Any) -> Any:
    """`f` as native code, compiled for the arguments that it is called with; `options` are those of `gradus.options`."""
    if f is None:
        return lambda f: jit(f, **options)
    _check("jit", f)
    return Function(f, shown=f, options=options)


def grad(f: Callable[..., Any], argnums: Arguments = 0, has_aux: bool = False, *, allow_int: bool = False) -> Function:
    """The gradient of `f`, which gives a float, in the arguments `argnums`: numbers or names, one or a tuple of them.

    With `has_aux`, `f` gives a float and something else, and the result is the gradient and that.
    """
    return _made("grad", f, "" if has_aux else "all", argnums, allow_int, has_aux=has_aux)


def value_and_grad(f: Callable[..., Any], argnums: Arguments = 0, has_aux: bool = False, *, allow_int: bool = False) -> Function:
    """The value of `f` and its gradient, as `grad` gives it."""
    return _made("value_and_grad", f, "second", argnums, allow_int, has_aux=has_aux)


def jacfwd(
    f: Callable[..., Any], argnums: Arguments = 0, has_aux: bool = False, sparse: bool = False, *, allow_int: bool = False
) -> Function:
    """The Jacobian of `f` by forward mode, of shape `result.shape + argument.shape`.

    With `sparse`, each part of it is a tuple `(data, indices, indptr)` as `scipy.sparse.csr_matrix` takes it, with a row for each float of
    the result and a column for each float of the argument.
    """
    return _made("jacfwd", f, "" if has_aux or sparse else "all", argnums, allow_int, has_aux=has_aux, sparse=sparse)


def jacrev(
    f: Callable[..., Any], argnums: Arguments = 0, has_aux: bool = False, sparse: bool = False, *, allow_int: bool = False
) -> Function:
    """The Jacobian of `f` by reverse mode, of shape `result.shape + argument.shape`; `sparse` as for `jacfwd`."""
    return _made("jacrev", f, "" if has_aux or sparse else "all", argnums, allow_int, has_aux=has_aux, sparse=sparse)


jacobian = jacrev


def hessian(
    f: Callable[..., Any], argnums: Arguments = 0, has_aux: bool = False, sparse: bool = False, *, allow_int: bool = False
) -> Function:
    """The Hessian of `f`, forward over reverse; `sparse` as for `jacfwd`."""
    return _made("hessian", f, "" if has_aux or sparse else "all", argnums, allow_int, has_aux=has_aux, sparse=sparse)


def vmap(f: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Function:
    """`f` on each row of its arguments."""
    return _made("vmap", f, in_axes=in_axes, out_axes=out_axes)


def checkpoint(f: Callable[..., Any]) -> Function:
    """`f`, of which reverse mode keeps nothing but the arguments."""
    return _made("checkpoint", f)


def custom_vjp(rule: Callable[..., Any]) -> Callable[[Callable[..., Any]], Function]:
    """A decorator: the derivative goes by `rule(y, *args)`, which gives the pullback."""
    return lambda f: Function(Apply("call", (Apply("custom_vjp", (rule,), {}), f), {}), shown=f)


def custom_jvp(rule: Callable[..., Any]) -> Callable[[Callable[..., Any]], Function]:
    """A decorator: the derivative goes by `rule(args, tangents)`, which gives the value and its tangent."""
    return lambda f: Function(Apply("call", (Apply("custom_jvp", (rule,), {}), f), {}), shown=f)


def jvp(f: Callable[..., Any], args: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
    """The value of `f`, and its tangent for tangents of the arguments."""
    return _run("jvp", f, tuple(args), tuple(tangents))


def hvp(f: Callable[..., Any], x: Any, v: Any) -> Any:
    """The Hessian of `f` at `x` times `v`; no Hessian is made."""
    return _run("hvp", f, x, v)


def taylor(f: Callable[..., Any], x: Any, order: int, direction: Any = None) -> Any:
    """The value and the derivatives of `f` at a float up to an order, of one series.

    With a direction, shaped like `x`, they are those of `f(x + t * direction)` in `t` at 0.
    """
    return _run("taylor", f, x, order) if direction is None else _run("taylor", f, x, order, direction=direction)


def jet(f: Callable[..., Any], primals: Sequence[Any], series: Sequence[Any]) -> Any:
    """The value of `f` and the derivatives of its result along curves, of which `series` has the derivatives for each argument."""
    return _run("jet", f, tuple(primals), tuple(map(tuple, series)))


def vjp(f: Callable[..., Any], *args: Any, has_aux: bool = False) -> Any:
    """The value of `f` and its pullback: from a cotangent of the value to a tuple of those of the arguments."""
    if has_aux:
        raise NotImplementedError("`vjp` with `has_aux` works within compiled functions alone")
    return _jitted(f)._held(args)


def linearize(f: Callable[..., Any], *args: Any) -> Any:
    """The value of `f` and its linear map, from tangents of the arguments to that of the value."""
    return _jitted(f)(*args), lambda *tangents: jvp(f, args, tangents)[1]


def forwarddiff(f: Callable[..., Any], x: Any) -> Any:
    """`f(x)`, which reverse mode differentiates forwards."""
    return _run("forwarddiff", f, x)


def hook(f: Callable[..., Any], x: Any) -> Any:
    """`x`; within a compiled function, its cotangent goes through `f`."""
    return x


def stop_gradient(x: Any) -> Any:
    """`x`; within a compiled function, a constant to derivatives."""
    return x


def nestlevel() -> int:
    """How many derivatives deep the code is: none outside of compiled functions."""
    return 0


def checkpoint_loop(body: Callable[..., Any], n: int, state: Any, slots: int) -> Any:
    """`for i in range(n): state = body(i, state)`, of which reverse mode keeps no more than `slots` states at a time."""
    return _run("checkpoint_loop", body, n, state, slots)


def fixed_point(f: Callable[..., Any], x0: Any, *params: Any, tol: float = 1e-12) -> Any:
    """The `x` with `x = f(x, *params)`, from `x0` on; derivatives are those of the implicit function theorem."""
    return _run("fixed_point", f, x0, *params, tol=tol)


class Box:
    """A mutable cell."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def get(self) -> Any:
        """What is in it."""
        return self._value

    def set(self, value: Any) -> None:
        """Puts something else in it."""
        self._value = value
