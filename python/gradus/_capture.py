"""From a live Python function to the text of a program that has all that it reaches."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from types import FunctionType, MethodType
from typing import Any

from ._base import Unsupported
from ._definitions import Array, Code, Lines, Parts, give_names, in_order, joined, read_by
from ._expressions import expression_of
from ._linker import Linker
from ._program import Apply, Expression, Given, Guard, Place, Program
from ._source import NoSource
from ._text import Text

__all__ = ["Apply", "Expression", "Given", "Guard", "NoSource", "Program", "capture"]


def capture(
    target: Any,
    count: int,
    keywords: tuple[str, ...],
    static: Mapping[int | str, object],
    classes: Iterable[type] = (),
    *,
    bakes_arrays: bool = False,
) -> Program:
    """Program whose `main` calls the target with so many arguments and these keywords; static ones are part of the text."""
    linker = Linker(bakes_arrays)
    function = _underlying(target)
    linker.target = getattr(function, "__func__", function)
    module = getattr(function, "__module__", None)
    linker.own_package = module.split(".")[0] if isinstance(module, str) else ""
    name = getattr(function, "__name__", None) or type(target).__name__
    hint = name if name.isidentifier() else "function"
    try:
        called: Parts = [linker.refer(target, hint, Place("item", (target,), 0))]
        shown = _parameters(target)
        positional = [shown[i] if i < len(shown) else f"a{i}" for i in range(count)]
        named = [*keywords, *(k for k in static if isinstance(k, str) and k not in keywords)]
        baked = {k: linker.expression(v, k if isinstance(k, str) else positional[k], Place("item", static, k)) for k, v in static.items()}
        of_arguments = [(cls, linker.refer(cls, cls.__name__, Place("item", (cls,), 0))) for cls in classes]
        linker.finish()
    except Unsupported as e:
        raise NoSource(name, str(e)) from None
    give_names(linker.definitions, linker.reserved | {"main"})
    order = in_order(linker.definitions)
    arrays = [d for d in linker.definitions if isinstance(d, Array)]
    taken = {d.name for parts in [called, *baked.values()] for d in read_by(parts)} | {d.name for d in arrays}
    parameters: list[str] = []
    arguments: list[str] = []
    for key in [*range(count), *named]:
        prefix = f"{key}=" if isinstance(key, str) else ""
        if key in baked:
            arguments.append(prefix + joined(baked[key]))
            continue
        parameter = _free(key if isinstance(key, str) else positional[key], taken)
        parameters.append(parameter)
        arguments.append(prefix + parameter)
    text = Text()
    for definition in order:
        if not isinstance(definition, Array):
            definition.write(text)
    parameters += [d.name for d in arrays]
    text.generated(f"def main({', '.join(parameters)}):")
    text.generated(f"    return {joined(called)}({', '.join(arguments)})")
    direct = None if named or baked or arrays else _direct(called, count)
    named_classes = {d.name: d.owner for d in linker.definitions if isinstance(d, (Code, Lines)) and isinstance(d.owner, type)}
    named_classes |= {d.name: cls for cls, d in of_arguments}
    given = [Given(d.name, d.place.kind, d.place.holder, d.place.key) for d in arrays if d.place is not None]
    return Program(text.bytes.decode(), text.sections, text.columns, given, linker.guards, named_classes, linker.missing, linker.varying, direct)


def _direct(called: Parts, count: int) -> str | None:
    """Name of the function that is called, where it is one of the text that takes nothing but so many arguments."""
    code = called[0]
    if not isinstance(code, Code) or not isinstance(code.owner, FunctionType) or code.decorators:
        return None
    made = code.owner.__code__
    is_plain = not made.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS) and not made.co_kwonlyargcount
    return code.name if is_plain and made.co_argcount == count else None


def _free(name: str, taken: set[str]) -> str:
    free, n = name, 1
    while free in taken:
        n += 1
        free = f"{name}_{n}"
    taken.add(free)
    return free


def _underlying(target: Any) -> Any:
    """The function that a target is about, for its name and package."""
    while True:
        expression = expression_of(target)
        if isinstance(expression, Apply):
            functions = [a for a in expression.args if callable(a) and not isinstance(a, Apply)]
            if not functions:
                return target
            target = functions[-1] if expression.name == "call" else functions[0]
        elif expression is not None:
            target = expression
        elif isinstance(target, functools.partial):
            target = target.func
        elif isinstance(target, functools._lru_cache_wrapper):
            target = target.__wrapped__
        elif isinstance(target, (FunctionType, MethodType, type)):
            return target
        else:
            method = inspect.getattr_static(type(target), "__call__", None)
            return MethodType(method, target) if isinstance(method, FunctionType) else target


def _parameters(target: Any) -> list[str]:
    """Names of the positional parameters, as far as they are known."""
    dropped = 0
    if isinstance(target, functools.partial):
        dropped = len(target.args)
    function = _underlying(target)
    if isinstance(function, MethodType):
        dropped += 1
        function = function.__func__
    if isinstance(function, type):
        if isinstance(names := getattr(function, "_fields", None), tuple):
            return list(names)
        if is_dataclass(function):
            return [f.name for f in fields(function) if f.init]
        dropped += 1
        function = vars(function).get("__init__")
    if not isinstance(function, FunctionType):
        return []
    code = function.__code__
    return list(code.co_varnames[dropped : code.co_argcount])
