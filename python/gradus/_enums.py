"""Enums as classes whose members are records of their name, their value, and what else they have."""

from __future__ import annotations

import ast
import enum
import re
from typing import Any

from ._base import Unsupported
from ._classes import Classes
from ._definitions import CODE, EXPRESSION, Code, Definition, Lines, Parts, Statement, read_by
from ._functions import name_in_source
from ._program import Place
from ._source import Fragment, NoSource, fragment_of_class

# Methods that say how members are made and shown: they have been made, and are shown by Python.
_MAKING = ("__init__", "__new__", "_missing_", "_generate_next_value_", "__str__", "__repr__", "__format__")


class Enums(Classes):
    """Definitions of enums and of their members."""

    def _enum(self, cls: type[enum.Enum]) -> Definition:
        self._check_package(cls.__module__, "")
        try:
            definition: Code | Lines = self._enum_of_file(cls, fragment_of_class(cls))
        except NoSource:
            definition = Lines(cls.__name__, CODE, owner=cls)
            definition.lines = [["class ", definition, ":"], ["    pass"]]
            self._remember(cls, definition)
        maker: Definition | None = None
        for member in cls:
            names = ["name", "value", *(n for n in vars(member) if not n.startswith("_"))]
            try:
                if plain_of(member) is not None:
                    made: Parts = [repr(plain_of(member))]
                else:
                    maker = maker or self._member_class(cls, definition, names)
                    items = [self.expression(getattr(member, n), f"{cls.__name__}_{n}", Place("attr", member, n)) for n in names]
                    made = [maker, "(", *(part for item in items for part in [*item, ", "]), ")"]
            except Unsupported as e:
                self._miss(f"{cls.__name__}.{member.name}", str(e))
                continue
            parts: Parts = [definition, f".{member.name} = ", *made]
            statement = Statement("", EXPRESSION, hard=read_by(parts), parts=parts)
            self.definitions.append(statement)
            self._members_of.setdefault(cls, []).append(statement)
        return definition

    def _member_class(self, cls: type, definition: Definition, names: list[str]) -> Definition:
        dataclass = self._import("dataclasses", "dataclass", "dataclass")
        any_type = self._import("typing", "Any", "Any")
        made = Lines(f"{cls.__name__}_member", CODE, hard=[definition, dataclass, any_type], owner=cls)
        fields: list[Parts] = [[f"    {name}: ", any_type] for name in names]
        made.lines = [["@", dataclass, "(frozen=True)"], ["class ", made, "(", definition, "):"], *fields]
        self.definitions.append(made)
        return made

    def _enum_of_file(self, cls: type, fragment: Fragment) -> Code:
        """The class with its methods, without the members: these are made of what they are."""
        node = fragment.node
        assert isinstance(node, ast.ClassDef)
        code = Code(cls.__name__, CODE, fragment=fragment, owner=cls)
        self._remember(cls, code)
        name = name_in_source(fragment)
        code.edits.append((*name, [code]))
        done = [self._dropped(code, d) for d in node.decorator_list]
        head = fragment.source.index(b":", name[1]) if not node.bases else self._end_of_head(fragment, node)
        code.edits.append((name[1], head, [""]))
        done.append((name[1], head))
        for statement in node.body:
            is_method = isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef))
            if is_method and statement.name not in _MAKING:  # type: ignore[attr-defined]
                done += self._member(code, cls, fragment, statement)
            elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                done.append(self._passed(code, statement))
        self._follow_methods(code, cls, done)
        return code

    def _end_of_head(self, fragment: Fragment, node: ast.ClassDef) -> int:
        """Where the colon is behind the bases of a class."""
        last = [*node.bases, *(k.value for k in node.keywords)][-1]
        found = re.compile(rb"[\s,]*\)\s*").match(fragment.source, fragment.offset(last.end_lineno or 0, last.end_col_offset or 0))
        assert found is not None
        return found.end()

    def _member_of_enum(self, value: enum.Enum) -> Parts:
        plain = plain_of(value)
        if plain is not None:
            return [repr(plain)]
        if value.name not in type(value).__members__:
            raise Unsupported(f"a combination of flags of {type(value).__name__}")
        return [self.refer(type(value), type(value).__name__, Place("attr", value, "__class__")), f".{value.name}"]


def plain_of(member: enum.Enum) -> int | float | str | None:
    """The number or the text that a member is itself, as those of `IntEnum` are."""
    for kind in (int, float, str):
        if isinstance(member, kind):
            return kind(member.value)
    return None
