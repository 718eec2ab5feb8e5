"""Functions that are compiled for the arguments that they are called with."""

from __future__ import annotations

import enum
import functools
import inspect
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from types import MethodType, ModuleType
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _native, _varying
from ._capture import Apply, Guard, Program, capture
from ._errors import CompileError, Error
from ._looking import Page, Picture, Table
from ._options import current, frozen, settled
from ._text import GENERATED

__all__ = ["CacheInfo", "Function", "clear_cache", "program_of"]

T = TypeVar("T")

_PLAIN = (bool, int, float, complex, str, np.ndarray, np.generic)
_PROGRAMS: OrderedDict[Any, _native.Program] = OrderedDict()
_LOCK = threading.RLock()
_MOST_PROGRAMS = 128  # about a megabyte each
_MOST_CAPTURES = 64

# Operators that count the arguments of a function, and are given none by name.
COUNTING = ("jacfwd", "jacrev", "hessian")


class CacheInfo(NamedTuple):
    """What a function has kept: programs that it was captured as, and what these were compiled for."""

    programs: int
    signatures: list[tuple[str, ...]]


def clear_cache() -> None:
    """Forgets all compiled programs; functions keep those that they have."""
    with _LOCK:
        _PROGRAMS.clear()


@dataclass
class _Captured:
    """A program of a function, for calls of one kind."""

    program: Program
    native: _native.Program
    prepared: dict[str, _native.Prepared]

    def holds(self) -> bool:
        return all(guard.holds() for guard in self.program.guards)


@dataclass
class _Call:
    """A call, taken apart: what is a part of the program, and what is passed."""

    count: int
    keywords: tuple[str, ...]
    static: dict[int | str, Any]
    passed: list[Any]
    classes: list[type]


class Function(_native.Callable):
    """A function of live Python that runs as native code. It is called as the function that it is made of."""

    __gradus_expression__: Any
    __wrapped__: Any

    def __init__(
        self,
        expression: Any,
        *,
        shown: Any = None,
        derivative: str = "",
        differentiated: tuple[int | str, ...] = (),
        allow_int: bool = False,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.__gradus_expression__ = expression
        self._derivative = derivative
        self._differentiated = differentiated
        self._allow_int = allow_int
        self._own_options = dict(options or {})
        self._captures: OrderedDict[Any, _Captured] = OrderedDict()
        self._last: _native.Prepared | None = None
        if shown is not None:
            functools.update_wrapper(self, shown, updated=())

    def __repr__(self) -> str:
        return f"<gradus {self._title()}>"

    def _title(self) -> str:
        expression = self.__gradus_expression__
        made = expression.name if isinstance(expression, Apply) else "jit"
        return f"{made} of {getattr(self, '__qualname__', '?')}"

    def __copy__(self) -> Function:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Function:
        return self

    def __reduce__(self) -> Any:
        module, name = getattr(self, "__module__", None), getattr(self, "__qualname__", "")
        if getattr(sys.modules.get(module or ""), name, None) is self:
            return name
        settings = {
            "derivative": self._derivative,
            "differentiated": self._differentiated,
            "allow_int": self._allow_int,
            "options": self._own_options,
        }
        return _rebuilt, (self.__gradus_expression__, settings)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else MethodType(self, instance)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any] | None) -> Any:
        """Does what the native part does not know yet: captures the function, compiles it, and calls it."""
        by_place, by_name = self._bound(args, kwargs or {})
        taken, captured, values, prepared = self._resolve(by_place, by_name)
        result = prepared(*values)
        if not current() and len(by_place) == len(args):
            self._note(taken, by_place, by_name, captured, prepared)
        return result

    def _bound(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[tuple[Any, ...], Mapping[str, Any]]:
        """The arguments, refused as Python refuses them; those by name are by place where an operator counts them."""
        try:
            signature = inspect.signature(self.__wrapped__, follow_wrapped=False)
        except (AttributeError, TypeError, ValueError):
            return args, kwargs
        bound = signature.bind(*args, **kwargs)
        expression = self.__gradus_expression__
        counts = isinstance(expression, Apply) and expression.name in COUNTING
        return (bound.args, bound.kwargs) if counts else (args, kwargs)

    def _resolve(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> tuple[_Call, _Captured, tuple[Any, ...], _native.Prepared]:
        taken, captured, values, (prepared, is_constant) = self._compiled(args, kwargs, _native.Program.prepare)
        # One object for a signature: it knows how long its calls take.
        prepared = prepared if is_constant else captured.prepared.setdefault(prepared.key, prepared)
        self._last = prepared
        return taken, captured, values, prepared

    def _compiled(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any], make: Callable[[_native.Program, tuple[Any, ...]], T]
    ) -> tuple[_Call, _Captured, tuple[Any, ...], T]:
        """What is made of the program for arguments like these, and what is passed to it."""
        taken = self._taken_apart(args, kwargs)
        try:
            captured = self._captured(taken)
            values = self._values(taken, captured)
            try:
                return taken, captured, values, make(captured.native, values)
            except CompileError as e:
                if not _varying.fix(captured.program.varying, str(e)):
                    raise
                captured = self._captured(taken, anew=True)
                values = self._values(taken, captured)
                return taken, captured, values, make(captured.native, values)
        except CompileError as e:
            raise self._placed(e) from None

    def _placed(self, error: CompileError) -> CompileError:
        """The error; of a line that no file has, as `grad(f)`, it says which function it is about."""
        code = getattr(getattr(self, "__wrapped__", None), "__code__", None)
        if error.filename != GENERATED or code is None or self.__wrapped__.__module__ == __package__ + "._operators":
            return error
        place = f"  note: it is about `{code.co_name}`, {code.co_filename}:{code.co_firstlineno}"
        placed = type(error)(f"{error}\n{place}", error.diagnostics)
        placed.filename, placed.lineno = code.co_filename, code.co_firstlineno
        return placed

    def _held(self, args: tuple[Any, ...]) -> tuple[Any, Callable[[Any], tuple[Any, ...]]]:
        """The value, and the pullback to cotangents of all arguments."""
        taken = self._taken_apart(args, {})
        captured = self._captured(taken)
        values = self._values(taken, captured)
        wrt = [i for i, value in enumerate(taken.passed) if _has_floats(value)]
        try:
            prepared, _ = captured.native.prepare_vjp(values, wrt)
            value, pullback = prepared.hold(*values)
        except (Error, TypeError):
            # What prints, or has data whose size the run decides, leaves no pullback: the function runs again for each cotangent.
            from ._neighbours import pullback_of

            return self(*args), lambda cotangent: pullback_of(self)(cotangent, *args)[0]
        places = [i for i in range(len(args)) if i not in taken.static]

        def pulled(cotangent: Any) -> tuple[Any, ...]:
            found: list[Any] = [None] * len(args)
            for i, part in zip(wrt, pullback(array(cotangent)), strict=True):
                found[places[i]] = part
            return tuple(found)

        return value, pulled

    def _taken_apart(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> _Call:
        static: dict[int | str, Any] = {}
        passed: list[Any] = []
        classes: dict[type, None] = {}
        given: list[tuple[int | str, Any]] = [*enumerate(args), *kwargs.items()]
        for key, value in given:
            value = array(value)
            if _is_static(value, classes):
                static[key] = value
            else:
                passed.append(self._floats(key, value) if key in self._differentiated else value)
        return _Call(len(args), tuple(k for k in kwargs if k not in static), static, passed, list(classes))

    def _floats(self, key: int | str, value: Any) -> Any:
        """An argument in which a derivative is taken: an int is refused, or taken for a float where that is allowed."""
        is_int = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
            is_int = True
        if not is_int:
            return value
        if self._allow_int:
            return value.astype(float) if isinstance(value, np.ndarray) else float(value)
        names = getattr(getattr(self, "__wrapped__", None), "__code__", None)
        name = key if isinstance(key, str) or names is None else names.co_varnames[key]
        hint = "x.astype(float)" if isinstance(value, np.ndarray) else f"float({value})"
        raise TypeError(
            f"argument `{name}` is an int, in which there is no derivative\n  hint: write `{hint}`, or take the derivative with `allow_int=True`"
        )

    def _values(self, taken: _Call, captured: _Captured) -> tuple[Any, ...]:
        """What is passed to a program: arguments, and what it is given beside them."""
        return (*taken.passed, *(array(g.fetch()) for g in captured.program.given))

    def _captured(self, taken: _Call, anew: bool = False) -> _Captured:
        options = settled({**self._own_options, **current()})
        identities = tuple((k, _identity(v)) for k, v in taken.static.items())
        key = (taken.count, taken.keywords, identities, tuple(taken.classes), frozen(options))
        with _LOCK:
            known = self._captures.get(key)
            if known is not None and not anew and known.holds():
                self._captures.move_to_end(key)
                return known
        target = self.__gradus_expression__ if not isinstance(self.__gradus_expression__, Apply) else self
        program = capture(target, taken.count, taken.keywords, taken.static, taken.classes)
        try:
            native = program_of(program, options, self._derivative)
        except CompileError as e:
            if not _varying.fix(program.varying, str(e)):
                raise
            program = capture(target, taken.count, taken.keywords, taken.static, taken.classes)
            native = program_of(program, options, self._derivative)
        captured = _Captured(program, native, {})
        with _LOCK:
            self._captures[key] = captured
            while len(self._captures) > _MOST_CAPTURES:
                self._captures.popitem(last=False)
        return captured

    def _note(
        self,
        taken: _Call,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
        captured: _Captured,
        prepared: _native.Prepared,
    ) -> None:
        """Lets the native part answer calls like this one by itself."""

        if any(g.kind == "item" for g in captured.program.given):
            return
        slow = [g for g in captured.program.guards if g.kind == "value"]
        guards = [(_place(g.kind, g.holder, g.key), g.value) for g in captured.program.guards if g.kind != "value"]
        self._remember(
            ([taken.static.get(i) for i in range(len(args))], [(k, taken.static.get(k)) for k in kwargs]),
            guards,
            functools.partial(_hold, slow) if slow else None,
            [_place(g.kind, g.holder, g.key) for g in captured.program.given],
            prepared,
        )

    def _shown_for(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> _native.Prepared:
        if args or kwargs:
            return self._resolve(args, kwargs)[3]
        if self._last is None:
            raise TypeError("the function was not called yet: give arguments to compile it for")
        return self._last

    def ir(self, stage: str = "optimised", *args: Any, **kwargs: Any) -> str:
        """The program at a stage as text, for arguments like these or those of the last compilation.

        Stages are "source", "typed", "adjoint", "optimised", "lowered" and "machine".
        """
        if stage == "source":
            return self.source(*args, **kwargs)
        return self._shown_for(args, kwargs).stage(stage)

    def dot(self, stage: str = "optimised", *args: Any, **kwargs: Any) -> str:
        """The program at a stage as a graph in the language of Graphviz."""
        return self._shown_for(args, kwargs).stage(stage, "dot")

    def source(self, *args: Any, **kwargs: Any) -> str:
        """The text of the program that the function was captured as."""
        return self._captured(self._taken_apart(args, kwargs)).program.text

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """What the compiler decided, and what a run keeps for the backward pass, in lines."""
        return "\n".join(self._shown_for(args, kwargs).explain())

    def report(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """What the compiler did: seconds of each pass, numbers of nodes, strategies, bytes of code."""
        return self._shown_for(args, kwargs).report()

    def show(self, stage: str = "optimised", *args: Any, **kwargs: Any) -> Picture:
        """A drawing of the program at a stage, which notebooks display."""
        return Picture(self._shown_for(args, kwargs).stage(stage, "svg"))

    def page(self, *args: Any, **kwargs: Any) -> Page:
        """A page with the program at all stages, which notebooks display and `save` writes: graphs, texts, and what passes changed."""
        return Page(self._shown_for(args, kwargs).page(self._title()))

    def compare(self, *args: Any, argnums: int | tuple[int, ...] | None = None, seconds: float = 0.1) -> Table:
        """What the gradient costs by closures, by stacks and forward, beside the value: time, memory kept, size of the code.

        Of a gradient, it is the function that is compared; `argnums` are those of the gradient, or all arguments that hold floats.
        """
        expression = self.__gradus_expression__
        if isinstance(expression, Apply) and expression.name in ("grad", "value_and_grad"):
            numbers = expression.kwargs.get("argnums", 0) if argnums is None else argnums
            return Function(expression.args[0], options=self._own_options).compare(*args, argnums=numbers, seconds=seconds)
        program, values, wrt = self._measured(args, (argnums,) if isinstance(argnums, int) else argnums)
        return Table(program.compare(values, wrt, seconds))

    def _measured(
        self, args: tuple[Any, ...], argnums: Sequence[int] | None
    ) -> tuple[_native.Program, tuple[Any, ...], list[int]]:
        """The program for arguments like these, what is passed to it, and which of that is differentiated in."""
        taken = self._taken_apart(args, {})
        captured = self._captured(taken)
        values = self._values(taken, captured)
        places = [i for i in range(len(args)) if i not in taken.static]
        if argnums is None:
            return captured.native, values, [i for i, v in enumerate(taken.passed) if _has_floats(v)]
        if unknown := [i for i in argnums if i not in places]:
            raise ValueError(f"argument {unknown[0]} of {len(args)}, counted from 0, has no derivative")
        return captured.native, values, [places.index(i) for i in argnums]

    def cache_info(self) -> CacheInfo:
        """What the function has kept."""
        with _LOCK:
            captures = list(self._captures.values())
        return CacheInfo(len(captures), [tuple(p.signature) for c in captures for p in c.prepared.values()])

    def clear_cache(self) -> None:
        """Forgets what the function has kept: it is captured and compiled anew."""
        with _LOCK:
            self._captures.clear()
        self._last = None
        self._forget()


def _rebuilt(expression: Any, settings: dict[str, Any]) -> Function:
    """A function that was pickled."""
    return Function(expression, **settings)


def array(value: Any) -> Any:
    """An array of another package as one of NumPy that shares its memory; other values as they are."""
    if isinstance(value, np.ndarray):
        kind = type(value)
        if kind is np.memmap:
            return value.view(np.ndarray)
        if kind is not np.ndarray:
            raise TypeError(f"a `{kind.__name__}` may compute otherwise than an array does\n  hint: write `np.asarray(x)`")
        return value
    if isinstance(value, _PLAIN) or value is None or isinstance(value, type) or not hasattr(value, "__dlpack__"):
        return value
    if getattr(value, "requires_grad", False):
        value = value.detach()
    return np.from_dlpack(value)


def _place(kind: str, holder: Any, key: Any) -> tuple[str, Any, str]:
    return (kind if kind in ("dict", "absent") else "attribute", holder, "cell_contents" if kind == "cell" else key)


def _hold(guards: list[Guard]) -> bool:
    return all(guard.holds() for guard in guards)


def _identity(value: Any) -> Any:
    """What tells a part of a program from another: strings by what they say, all else by what it is."""
    return value if isinstance(value, str) else Same(value)


class Same:
    """An object as a key: the same object and no other."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


def _leaves(value: Any, classes: dict[type, None]) -> Iterator[Any]:
    """What a container holds, and the classes of instances in it."""
    kind = type(value)
    if kind in (tuple, list):
        for item in value:
            yield from _leaves(item, classes)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item, classes)
    elif isinstance(value, tuple) and hasattr(kind, "_fields"):
        classes[kind] = None
        for item in value:
            yield from _leaves(item, classes)
    elif is_dataclass(kind) and not isinstance(value, type):
        classes[kind] = None
        for name in kind.__dataclass_fields__:
            yield from _leaves(getattr(value, name, None), classes)
    else:
        yield value


def _has_floats(value: Any) -> bool:
    """Whether a derivative can be taken in a value."""
    leaves = list(_leaves(value, {}))
    return any(isinstance(v, (float, complex, np.floating)) or getattr(getattr(v, "dtype", None), "kind", "") == "f" for v in leaves)


def _is_static(value: Any, classes: dict[type, None]) -> bool:
    """Whether an argument is a part of the program, as functions are, and texts."""
    if isinstance(value, str) or (isinstance(value, enum.Enum) and not isinstance(value, _PLAIN)):
        return True
    found: dict[type, None] = {}
    for leaf in _leaves(value, found):
        if leaf is None or isinstance(leaf, _PLAIN) or hasattr(leaf, "__dlpack__"):
            continue
        if callable(leaf) or isinstance(leaf, (ModuleType, type, slice, range, set, frozenset, np.dtype)) or leaf is ...:
            return True
        # An instance of a plain class: its fields are those of its class.
        found[type(leaf)] = None
    classes.update(found)
    return False


def program_of(program: Program, options: Mapping[str, Any], derivative: str) -> _native.Program:
    """A captured program in the native part; texts that are the same are one."""
    given = [g.name for g in program.given]
    classes = tuple((name, Same(cls)) for name, cls in program.classes.items())
    key = (program.text, tuple(program.sections), tuple(given), classes, frozen(options), derivative)
    with _LOCK:
        known = _PROGRAMS.get(key)
        if known is not None:
            _PROGRAMS.move_to_end(key)
            return known
    try:
        made = _native.Program(program.text, program.sections, given, program.classes, dict(options), derivative)
    except CompileError as e:
        raise _with_reasons(e, program.missing) from None
    with _LOCK:
        _PROGRAMS[key] = made
        while len(_PROGRAMS) > _MOST_PROGRAMS:
            _PROGRAMS.popitem(last=False)
    return made


def _with_reasons(error: CompileError, missing: Mapping[str, str]) -> CompileError:
    """Says of names that could not be captured why."""
    notes = [f"`{name}` is {why}" for name, why in missing.items() if f"`{name}`" in str(error)]
    return type(error)("\n".join([str(error), *(f"  note: {note}" for note in notes)]), error.diagnostics) if notes else error

