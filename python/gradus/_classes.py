"""Classes of the user: their source, with variables and defaults as they are now."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from types import CellType, FunctionType
from typing import Any

from ._base import CONTAINERS, Unsupported
from ._definitions import CODE, EXPRESSION, Code, Definition, Lines, Parts, Statement, read_by
from ._expressions import expression_of
from ._functions import Functions, name_in_source
from ._program import Place, is_array, is_scalar
from ._source import Fragment, NoSource, fragment_of_class, is_written_in, methods_of, plain_method

_ABSENT = object()


class Classes(Functions):
    """Definitions of classes."""

    def _class(self, cls: type) -> Definition:
        self._check_package(cls.__module__, "")
        try:
            fragment = fragment_of_class(cls)
        except NoSource as e:
            if issubclass(cls, tuple) and hasattr(cls, "_fields"):
                return self._named_tuple(cls)
            raise Unsupported(e.reason) from e
        code = Code(cls.__name__, CODE, fragment=fragment, owner=cls)
        self._remember(cls, code)
        self._classes.append(cls)
        code.edits.append((*name_in_source(fragment), [code]))
        code.edits += _private(cls, fragment)
        assert isinstance(fragment.node, ast.ClassDef)
        with self._or_forgotten(cls, code):
            live = self._members(code, cls, fragment)
        self._follow_methods(code, cls, live)
        return code

    def _follow_methods(self, code: Code, cls: type, live: list[tuple[int, int]]) -> None:
        """Has the names followed that a class and its methods read, but for those in places that are live."""
        cells: dict[str, Any] = {base.__name__: base for base in cls.__bases__}
        scope: Mapping[str, Any] = vars(sys.modules.get(cls.__module__, builtins))
        for method in methods_of(cls):
            if is_written_in(method, cls):
                cells |= zip(method.__code__.co_freevars, method.__closure__ or (), strict=True)
                scope = method.__globals__
        cells.pop("__class__", None)
        scope_cells = {k: v for k, v in cells.items() if isinstance(v, CellType) or scope.get(k, _ABSENT) is not v}
        self._todo.append((code, scope_cells, scope, live))

    def _named_tuple(self, cls: Any) -> Definition:
        maker = self._import("collections", "namedtuple", "namedtuple")
        defaults = tuple(cls._field_defaults.values())
        self._remember(cls, lines := Lines(cls.__name__, CODE, hard=[maker], owner=cls))
        parts: Parts = [lines, " = ", maker, f"({cls.__name__!r}, {list(cls._fields)!r}"]
        if defaults:
            value = self.expression(defaults, "defaults", Place("attr", cls, "_field_defaults"))
            parts += [", defaults=", *value]
            lines.hard += read_by(value)
        lines.lines = [[*parts, ")"]]
        return lines

    def _members(self, code: Code, cls: type, fragment: Fragment) -> list[tuple[int, int]]:
        """Writes defaults of methods and variables of a class as they are now. Gives the places."""
        node = fragment.node
        assert isinstance(node, ast.ClassDef)
        done = [self._dropped(code, d) for d in _idle_decorators(cls, node)]
        for statement in node.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and statement.name == "__init_subclass__":
                # It has run.
                done.append(self._passed(code, statement))
            elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                done += self._member(code, cls, fragment, statement)
            elif isinstance(statement, ast.ClassDef):
                done.append(self._passed(code, statement))
            elif isinstance(statement, (ast.Assign, ast.AnnAssign)) and statement.value is not None:
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                if len(targets) == 1 and isinstance(targets[0], ast.Name):
                    if has_derived(vars(cls).get(targets[0].id), cls):
                        done.append(self._passed(code, statement))
                        continue
                    done += self._variable(code, cls, fragment, targets[0].id, statement.value)
        written = {name for s in node.body for name in _bound_by(s)}
        for name, value in list(vars(cls).items()):
            if name.startswith("_") or name in written or not (is_scalar(value) or type(value) in CONTAINERS or is_array(value)):
                continue
            # It was assigned to the class later.
            parts: Parts = [code, f".{name} = ", *self.expression(value, f"{cls.__name__}_{name}", Place("attr", cls, name))]
            self.definitions.append(Statement("", EXPRESSION, hard=read_by(parts), parts=parts))
            self._guard("attr", cls, name, value)
        return done

    def _passed(self, code: Code, statement: ast.stmt) -> tuple[int, int]:
        """Leaves out a statement: what it defines is a definition of its own."""
        fragment = code.fragment
        assert fragment is not None
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))])
        start = fragment.offset(first, statement.col_offset)
        end = fragment.offset(statement.end_lineno or 0, statement.end_col_offset or 0)
        code.edits.append((start, end, ["pass"]))
        return start, end

    def _dropped(self, code: Code, decorator: ast.expr) -> tuple[int, int]:
        """Leaves out a decorator."""
        fragment = code.fragment
        assert fragment is not None
        start = fragment.source.rindex(b"@", 0, fragment.offset(decorator.lineno, decorator.col_offset))
        end = fragment.offset(decorator.end_lineno or 0, decorator.end_col_offset or 0)
        code.edits.append((start, end, [""]))
        return start, end

    def _variable(self, code: Code, cls: type, fragment: Fragment, name: str, node: ast.expr) -> list[tuple[int, int]]:
        """Writes a variable of a class, or the default of a field, as it is now."""
        name = _mangled(cls, name)
        value = vars(cls).get(name, getattr(cls, "_field_defaults", {}).get(name, _ABSENT))
        if name in vars(cls) and getattr(cls, name, None) is value and not is_array(value):
            self._guard("attr", cls, name, value)
        is_said = isinstance(node, ast.Call) and is_dataclass(cls)
        is_own = isinstance(value, FunctionType) and _is_in(value, fragment)
        if value is _ABSENT or is_said or is_own or hasattr(type(value), "__get__") and not isinstance(value, FunctionType):
            return []
        return [self._live(code, node, value, name, Place("attr", cls, name))]

    def _member(self, code: Code, cls: type, fragment: Fragment, node: Any) -> list[tuple[int, int]]:
        name = _mangled(cls, node.name)
        value: Any = vars(cls).get(name)
        expression = expression_of(value)
        done: list[tuple[int, int]] = []
        if isinstance(expression, FunctionType):
            # A decorator that says how to run the method, which the program need not know.
            done += [self._dropped(code, decorator) for decorator in node.decorator_list]
            value = expression
        function = plain_method(value)
        if not isinstance(function, FunctionType):
            return done
        if value is function and getattr(cls, name, None) is value:
            self._guard("attr", cls, name, value)
        if not _is_in(function, fragment):
            is_made = function.__code__.co_filename.startswith("<string")
            is_plain = all(isinstance(d, ast.Name) and d.id in ("property", "staticmethod", "classmethod") for d in node.decorator_list)
            if is_plain and not is_made:
                raise Unsupported(f"a class whose method `{node.name}` was replaced")
            return done
        self._guard("attr", function, "__code__", function.__code__)
        return done + self._defaults(code, node, function)


def _mangled(cls: type, name: str) -> str:
    """A name as Python knows it that is written inside of a class."""
    owner = cls.__name__.lstrip("_")
    return f"_{owner}{name}" if owner and name.startswith("__") and not name.endswith("__") else name


def _private(cls: type, fragment: Fragment) -> Iterator[tuple[int, int, Parts]]:
    """Where names that are private to a class are written, with their names outside: those that fields of instances have."""
    for node in ast.walk(fragment.node):
        if isinstance(node, ast.Attribute):
            name, end = node.attr, fragment.offset(node.end_lineno or 0, node.end_col_offset or 0)
            start = end - len(name.encode())
        elif isinstance(node, (ast.Name, ast.arg, ast.keyword, ast.FunctionDef)):
            name = (node.id if isinstance(node, ast.Name) else node.name if isinstance(node, ast.FunctionDef) else node.arg) or ""
            at = fragment.offset(node.lineno, node.col_offset)
            start = fragment.source.find(name.encode(), at)
        else:
            continue
        # Places in strings are not known before Python 3.12.
        if _mangled(cls, name) != name and fragment.source[start : start + len(name.encode())] == name.encode():
            yield start, start + len(name.encode()), [_mangled(cls, name)]


def has_derived(value: Any, cls: type) -> bool:
    """Whether a variable of a class has classes that are derived from it: it comes after them, as a variable of its own."""
    if type(value) not in CONTAINERS:
        return False
    items = value.values() if isinstance(value, Mapping) else value
    return any(isinstance(item, type) and issubclass(item, cls) for item in items)


def _idle_decorators(cls: type, node: ast.ClassDef) -> list[ast.expr]:
    """Decorators that the program need not know: the class is what they gave, by its own methods."""

    def last_name(d: ast.expr) -> str:
        d = d.func if isinstance(d, ast.Call) else d
        return d.attr if isinstance(d, ast.Attribute) else d.id if isinstance(d, ast.Name) else ""

    idle = [d for d in node.decorator_list if last_name(d) not in ("dataclass", "final")]
    is_data = "__dataclass_fields__" in vars(cls)
    return [] if is_data and len(idle) == len(node.decorator_list) else idle


def _is_in(function: FunctionType, fragment: Fragment) -> bool:
    """Whether a function was written inside of a class."""
    line = function.__code__.co_firstlineno
    return function.__code__.co_filename == fragment.file and fragment.first <= line <= (fragment.node.end_lineno or 0)


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    """Names that a statement of a class defines."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield statement.name
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
