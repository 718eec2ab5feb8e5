"""From live objects to definitions: what each name of each function is, and what that reaches."""

from __future__ import annotations

import ast
import enum
import functools
import importlib.util
import inspect
import re
import sys
from collections.abc import Mapping
from types import BuiltinFunctionType, CellType, FunctionType, MethodType, ModuleType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from . import _library
from ._base import CONTAINERS, Unsupported, listed
from ._classes import has_derived
from ._definitions import IMPORT, VALUE, Builtin, Code, Definition, Value
from ._enums import Enums, plain_of
from ._expressions import expression_of
from ._functions import range_of
from ._made import made_by
from ._program import Place, is_array, is_dtype, is_scalar, snapshot
from ._scopes import Imported, Reference


class Linker(Enums):
    """Walk over all that a target reaches."""

    def finish(self) -> None:
        """Follows the names of all functions that were reached."""
        attributes: set[str] = set()
        while self._todo:
            code, cells, scope, live = self._todo.popleft()
            assert code.fragment is not None
            attributes |= code.fragment.attributes
            self._link(code, cells, scope, live)
        self._guard_members(attributes)
        for code, reference, value in self._notes:
            definition = self._known.get(id(value))
            if definition is not None:
                self._replace(code, reference, 0, definition)
            else:
                self.reserved.add(reference.name)

    def _guard_members(self, attributes: set[str]) -> None:
        """Guards which members classes have under these names, and that no field of an instance hides one."""
        for cls in self._classes:
            for name in attributes & _members_of(cls):
                value = getattr(cls, name, None)
                # Methods of a class are other objects each time.
                if getattr(cls, name, None) is value and not is_array(value):
                    self._guard("attr", cls, name, value)
        for instance in self._instances:
            cls, fields = type(instance), getattr(instance, "__dict__", None)
            for name in attributes & _members_of(cls):
                if fields is not None and name not in fields and not isinstance(inspect.getattr_static(cls, name), property):
                    self._guard("absent", fields, name, None)

    def _refer(self, value: Any, hint: str, place: Place) -> Definition:
        if is_scalar(value):
            key = (hint, type(value), repr(value))
            return self._once(key, lambda: Value(hint, VALUE, parts=[self._scalar(value)]))
        if isinstance(value, ModuleType):
            return self._module(value, hint)
        if is_array(value):
            return self._array(value, hint, place)
        if id(value) in self._known:
            return self._known[id(value)]
        expression = expression_of(value)
        if expression is not None:
            definition = self._applied(expression, hint, place)
        elif (found := _library.find(value, hint)) is not None:
            definition = self._import(found[0], found[1], hint)
        elif (name := _library.find_builtin(value)) is not None:
            self.reserved.add(name)
            definition = Builtin(name, IMPORT)
        else:
            return self._own(value, hint)
        return self._remember(value, definition)

    def _own(self, value: Any, hint: str) -> Definition:
        """Definition of what the user made."""
        if (how := made_by(value)) is not None:
            return self._by_library(how, value, hint)
        if isinstance(value, FunctionType) and value.__globals__ is vars(functools) and hasattr(value, "registry"):
            return self._dispatched(value, hint)
        if isinstance(value, FunctionType):
            return self._function(value, hint)
        if isinstance(value, type):
            return self._enum(value) if issubclass(value, enum.Enum) else self._class(value)
        if isinstance(value, enum.Enum):
            made = self._value(hint, self._member_of_enum(value))
            # A member is there once the class is whole.
            made.hard += self._members_of.get(type(value), [])
            return self._remember(value, made)
        if isinstance(value, functools._lru_cache_wrapper):
            return self._cached(value, hint)
        if type(value) in CONTAINERS:
            parts = self._container(value, hint)
        elif isinstance(value, functools.partial):
            self._guard("value", value.keywords, None, snapshot(value.keywords, self._is_given))
            parts = self._call([self._import("functools", "partial", "partial")], (value.func, *value.args), value.keywords, hint)
        elif isinstance(value, MethodType):
            parts = self._method(value, hint)
        elif isinstance(value, (staticmethod, classmethod)):
            return self._remember(value, self.refer(value.__func__, hint, Place("attr", value, "__func__")))
        elif isinstance(value, TypeVar):
            parts = [self._import("typing", "TypeVar", "TypeVar"), f"({value.__name__!r})"]
        elif is_dtype(value):
            return self._remember(value, self.refer(value.type, hint, Place("attr", value, "type")))
        elif type(value).__name__ == "PjitFunction":
            return self._remember(value, self.refer(value.__wrapped__, hint, Place("attr", value, "__wrapped__")))
        elif type(value).__name__ in ("custom_jvp", "custom_vjp") and _library.is_library(type(value).__module__):
            return self._ruled(value, hint)
        elif isinstance(value, UnionType) or get_origin(value) is Union:
            kinds = [None if kind is type(None) else kind for kind in get_args(value)]
            parts = listed("", [self.expression(k, hint, Place("item", kinds, 0)) for k in kinds], "", " | ")
        elif isinstance(value, BuiltinFunctionType):
            raise Unsupported("a function of C, without a source")
        else:
            parts = self._instance(value, hint)
        return self._remember(value, self._value(hint, parts))

    def _module(self, module: ModuleType, hint: str) -> Definition:
        name = module.__name__
        if _library.is_library(name) or _library.is_foreign(name):
            return self._import(name, None, hint)
        raise Unsupported("a module, which is no value")

    def _link(self, code: Code, cells: Mapping[str, Any], scope: Mapping[str, Any], live: list[tuple[int, int]]) -> None:
        fragment = code.fragment
        assert fragment is not None
        imported = {i.name: i for i in fragment.imports}
        for one in fragment.imports:
            code.edits.append((*range_of(fragment, one.span), ["pass"]))
        for reference in fragment.references:
            at = fragment.offset(reference.span.line, reference.span.column)
            if any(start <= at < end for start, end in live):
                continue
            try:
                if reference.name in imported:
                    self._reference(code, reference, self._imported(imported[reference.name], scope), {})
                else:
                    self._reference(code, reference, cells, scope)
            except Unsupported as e:
                self._miss(reference.name, str(e))

    def _reference(self, code: Code, reference: Reference, cells: Mapping[str, Any], scope: Mapping[str, Any]) -> None:
        assert code.fragment is not None
        found = self._look_up(reference.name, cells, scope)
        if found is None:
            self.reserved.add(reference.name)
            self._guard("absent", scope, reference.name, None)
            return
        value, place = found
        if reference.role == "note":
            self._note(code, reference, value)
            return
        depth = 0
        hint = reference.name
        while depth < len(reference.chain) and (step := self._step(value, reference.chain[depth:])) is not None:
            self._guard_place(place, value)
            hint = reference.chain[depth]
            value, place, count = step
            depth += count
        if isinstance(value, ModuleType) and _library.is_foreign(value.__name__):
            self.missing.setdefault(reference.name, f"the module {value.__name__}, which is not followed")
        if self._is_varying(code, reference, depth, value, place):
            definition = self._given(hint, place)
            definition.uses += 1
            self._replace(code, reference, depth, definition)
            return
        if not (is_array(value) and self._is_given(value)):
            self._guard_place(place, value)
        try:
            if isinstance(value, type) and issubclass(value, enum.Enum) and self._used(code, reference, depth, value):
                return
            if not depth and place.kind == "dict" and hint in code.fragment.variables and not is_array(value):
                definition = self._assigned(value, place)
            else:
                definition = self.refer(value, hint, place)
        except Unsupported as e:
            path = ".".join([reference.name, *reference.chain[:depth]])
            raise Unsupported(f"needed for `{path}`, {e}" if depth else str(e)) from e
        if reference.role == "head" and definition is not code:
            code.hard.append(definition)
        self._replace(code, reference, depth, definition)
        if isinstance(value, enum.Enum) or (isinstance(value, type) and issubclass(value, enum.Enum)):
            self._compare_by_value(code, reference)

    def _is_varying(self, code: Code, reference: Reference, depth: int, value: Any, place: Place) -> bool:
        """Whether what a function reads is a float that was another one before."""
        owner = code.owner
        if type(value) is not float or reference.role != "body" or place.kind == "item" or not isinstance(owner, FunctionType):
            return False
        if code.fragment is not None and place.key in code.fragment.variables:
            return False
        return self._varies((owner.__code__, ".".join([reference.name, *reference.chain[:depth]])), value)

    def _compare_by_value(self, code: Code, reference: Reference) -> None:
        """Members of enums are records, which programs tell apart by what is in them: `is` becomes `==`."""
        fragment = code.fragment
        assert fragment is not None
        for node in ast.walk(fragment.node):
            if not isinstance(node, ast.Compare):
                continue
            operands = [node.left, *node.comparators]
            for left, op, right in zip(operands, node.ops, operands[1:], strict=False):
                here = (reference.span.line, reference.span.column)
                if isinstance(op, (ast.Is, ast.IsNot)) and here in [(o.lineno, o.col_offset) for o in (left, right)]:
                    start = fragment.offset(left.end_lineno or 0, left.end_col_offset or 0)
                    end = fragment.offset(right.lineno, right.col_offset)
                    found = re.search(rb"\bis(\s+not)?\b", fragment.source[start:end])
                    if found is not None:
                        sign = "!=" if isinstance(op, ast.IsNot) else "=="
                        code.edits.append((start + found.start(), start + found.end(), [sign]))

    def _step(self, value: Any, chain: tuple[str, ...]) -> tuple[Any, Place, int] | None:
        """What is reached by the first attribute of a chain, or by the first two, where a definition stands for that by itself."""
        first = chain[0]
        if isinstance(value, ModuleType):
            name = value.__name__
            if _library.is_library(name) or (_library.is_foreign(name) and not self._is_own(name)):
                return None
            return (*self._attribute(value, first), 1)
        if isinstance(value, enum.Enum) and plain_of(value) is not None and first in ("name", "value"):
            return getattr(value, first), Place("attr", value, first), 1
        if isinstance(value, type) and issubclass(value, enum.Enum):
            if first == "__members__":
                named = dict(value.__members__)
                return named, Place("item", (named,), 0), 1
            member = value.__members__.get(first)
            inner = self._step(member, chain[1:]) if member is not None and len(chain) > 1 else None
            return inner and (inner[0], inner[1], 2)
        if isinstance(value, type) and _library.is_followed(value.__module__):
            held = vars(value).get(first)
            # A class within a class, or variables of classes derived from it.
            if isinstance(held, type) or has_derived(held, value):
                return held, Place("attr", value, first), 1
        return None

    def _assigned(self, value: Any, place: Place) -> Definition:
        """A name of its own for what functions assign: other names of the object now are not names of it then."""
        key = ("variable", id(place.holder), place.key)
        return self._once(key, lambda: self._value(place.key, self.expression(value, place.key, place)))

    def _is_own(self, module: str) -> bool:
        return bool(self.own_package) and module.split(".")[0] == self.own_package

    def _look_up(self, name: str, cells: Mapping[str, Any], scope: Mapping[str, Any]) -> tuple[Any, Place] | None:
        """What a name is, and where it was found; none for builtins and names that are not there."""
        if name in cells:
            cell = cells[name]
            if not isinstance(cell, CellType):
                return cell, Place("item", cells, name)
            try:
                return cell.cell_contents, Place("cell", cell)
            except ValueError:
                raise Unsupported("a variable without a value") from None
        return (scope[name], Place("dict", scope, name)) if name in scope else None

    def _imported(self, one: Imported, scope: Mapping[str, Any]) -> Mapping[str, Any]:
        """What a function imports when it is called."""
        package = scope.get("__package__") or ""
        name = importlib.util.resolve_name("." * one.level + one.module, package) if one.level else one.module
        module = sys.modules.get(name)
        if one.attribute is not None:
            inner = sys.modules.get(f"{name}.{one.attribute}")
            if module is not None and one.attribute in vars(module):
                return {one.name: self._attribute(module, one.attribute)[0]}
            module = inner
        if module is None:
            raise Unsupported(f"a part of the module {name}, which is not imported yet")
        return {one.name: module}

    def _attribute(self, module: ModuleType, name: str) -> tuple[Any, Place]:
        held = vars(module)
        if name in held:
            return held[name], Place("dict", held, name)
        try:
            return getattr(module, name), Place("attr", module, name)
        except AttributeError:
            raise Unsupported(f"a name that the module {module.__name__} does not have") from None

    def _note(self, code: Code, reference: Reference, value: Any) -> None:
        """Classes of the user in annotations of fields are part of the text; in those of functions, if something else needs them."""
        if isinstance(code.owner, type) and isinstance(value, type) and not _library.is_foreign(value.__module__):
            try:
                self._replace(code, reference, 0, self.refer(value, reference.name, Place("item", (value,), 0)))
            except Unsupported:
                self.reserved.add(reference.name)
        elif (isinstance(value, ModuleType) and _library.is_library(value.__name__)) or _library.find(value) is not None:
            self._replace(code, reference, 0, self.refer(value, reference.name, Place("item", (value,), 0)))
        else:
            self._kept.append(value)
            self._notes.append((code, reference, value))


def _members_of(cls: type) -> set[str]:
    """Names of members of a class of the user and of its bases, but for those that Python itself asks for."""
    names = (name for c in cls.__mro__ if _library.is_followed(c.__module__) for name in vars(c))
    return {name for name in names if not (name.startswith("__") and name.endswith("__"))}
