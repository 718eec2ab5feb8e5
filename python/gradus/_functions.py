"""Functions of the user: their source, with defaults as they are now."""

from __future__ import annotations

import ast
import re
from types import FunctionType
from typing import Any

from . import _library
from ._base import Unsupported, may_change
from ._definitions import CODE, Code, Definition, Lines, Parts, read_by
from ._instances import Instances
from ._program import Place, snapshot
from ._scopes import Reference, Span
from ._source import Fragment, NoSource, fragment_of_function

_MANY_INSTALLED = 300
_INSTALLED = ("/site-packages/", "/dist-packages/")


class Functions(Instances):
    """Definitions of functions."""

    def _check_package(self, module: str, file: str) -> None:
        package = module.split(".")[0]
        if package == self.own_package:
            return
        if _library.is_library(module):
            raise Unsupported(f"a function that {package} made")
        if _library.is_foreign(module):
            raise Unsupported(f"a part of {package}, which is not followed")
        if any(folder in file for folder in _INSTALLED):
            self._installed += 1
            if self._installed > _MANY_INSTALLED:
                raise Unsupported(f"a part of {package}, and too many functions of installed packages are needed")

    def _function(self, function: FunctionType, hint: str) -> Definition:
        scope = function.__globals__
        module = scope.get("__name__")
        self._check_package(module if isinstance(module, str) else "", function.__code__.co_filename)
        try:
            fragment = fragment_of_function(function)
        except NoSource as e:
            raise Unsupported(e.reason) from e
        is_lambda = isinstance(fragment.node, ast.Lambda)
        code = Code(hint if is_lambda else function.__code__.co_name, CODE, fragment=fragment, is_lambda=is_lambda, owner=function)
        self._remember(function, code)
        self._guard("attr", function, "__code__", function.__code__)
        if not is_lambda:
            code.edits.append((*name_in_source(fragment), [code]))
        with self._or_forgotten(function, code):
            self._defaults(code, fragment.node, function)
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        self._todo.append((code, cells, scope, []))
        return code

    def _cached(self, value: Any, hint: str) -> Definition:
        """A function with `functools.cache` or `lru_cache`."""
        function = value.__wrapped__
        if not isinstance(function, FunctionType):
            raise Unsupported("a cache of what is no function")
        code = self.refer(function, hint, Place("attr", value, "__wrapped__"))
        maker = self._import("functools", "lru_cache", "lru_cache")
        decorator: Parts = [maker, f"(maxsize={value.cache_parameters()['maxsize']!r})"]
        if isinstance(code, Code) and not code.is_lambda:
            code.decorators.append(decorator)
            code.hard.append(maker)
            return self._remember(value, code)
        return self._remember(value, self._value(hint, [*decorator, "(", code, ")"]))

    def _dispatched(self, function: Any, hint: str) -> Definition:
        """A function with `functools.singledispatch`: derived classes are asked for before their bases."""
        registry = function.registry
        self._guard("value", registry, None, snapshot(registry, self._is_given))
        self.reserved.add("isinstance")
        made = Lines(hint, CODE)
        self._remember(function, made)
        made.lines = [["def ", made, "(value, *rest, **named):"]]
        with self._or_forgotten(function, made):
            for kind in sorted(registry, key=lambda kind: -len(kind.__mro__)):
                called: Parts = [self.refer(registry[kind], hint, Place("item", registry, kind)), "(value, *rest, **named)"]
                if kind is object:
                    made.lines.append(["    return ", *called])
                    continue
                asked = self.refer(kind, kind.__name__, Place("item", (kind,), 0))
                made.lines += [["    if isinstance(value, ", asked, "):"], ["        return ", *called]]
        return made

    def _defaults(self, code: Code, node: Any, function: FunctionType) -> list[tuple[int, int]]:
        """Writes defaults as the live function has them."""
        args = node.args
        positional = [*args.posonlyargs, *args.args][len(args.posonlyargs) + len(args.args) - len(args.defaults) :]
        live: tuple[Any, ...] = function.__defaults__ or ()
        rows = [(d, a.arg, Place("item", live, i)) for i, (a, d) in enumerate(zip(positional, args.defaults, strict=True))]
        if len(live) != len(rows):
            raise Unsupported("a function with other defaults than its source")
        if live:
            self._guard("attr", function, "__defaults__", live)
        named: dict[str, Any] = function.__kwdefaults__ or {}
        for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True):
            if d is not None and a.arg in named:
                rows.append((d, a.arg, Place("item", named, a.arg)))
        if named:
            self._guard("value", named, None, snapshot(named, self._is_given))
        return [self._live(code, expression, place.fetch(), name, place) for expression, name, place in rows]

    def _live(self, code: Code, node: ast.expr, value: Any, name: str, place: Place) -> tuple[int, int]:
        """Writes a live value where the source has an expression."""
        fragment = code.fragment
        assert fragment is not None
        start = fragment.offset(node.lineno, node.col_offset)
        end = fragment.offset(node.end_lineno or 0, node.end_col_offset or 0)
        if not _is_literal_of(node, value):
            hint = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else name
            try:
                parts = self.expression(value, hint, place)
            except Unsupported as e:
                self._miss(hint, str(e))
            else:
                code.edits.append((start, end, parts))
                code.hard += read_by(parts)
        elif may_change(value):
            self._guard("value", value, None, snapshot(value, self._is_given))
        return start, end

    def _replace(self, code: Code, reference: Reference, depth: int, definition: Definition) -> None:
        fragment = code.fragment
        assert fragment is not None
        written = ".".join([reference.name, *reference.chain[:depth]])
        definition.readers.append((fragment.bound, written))
        if reference.is_exact:
            start = fragment.offset(reference.span.line, reference.span.column)
            code.edits.append((start, fragment.offset(*reference.ends[depth]), [definition]))
            return
        start, end = range_of(fragment, reference.span)
        pattern = rb"(?<![\w.])" + re.escape(written).encode() + rb"(?!\w)"
        for found in re.finditer(pattern, fragment.source[start:end]):
            code.edits.append((start + found.start(), start + found.end(), [definition]))


def _is_literal_of(node: ast.expr, value: Any) -> bool:
    try:
        written = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return type(written) is type(value) and repr(written) == repr(value)


def name_in_source(fragment: Fragment) -> tuple[int, int]:
    """Where a function or class has its name."""
    node = fragment.node
    begin = fragment.offset(node.lineno, node.col_offset)
    found = re.compile(rb"(?:async\s+)?(?:def|class)[\s\\]+([^\s(:\[\\]+)").match(fragment.source, begin)
    assert found is not None
    return found.span(1)


def range_of(fragment: Fragment, span: Span) -> tuple[int, int]:
    """Where a part of a file is in the source."""
    return fragment.offset(span.line, span.column), fragment.offset(span.end_line, span.end_column)
