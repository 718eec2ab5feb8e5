"""Enums as classes whose members are records of their name, their value, and what else they have."""

from __future__ import annotations

import ast
import enum
import re
from collections.abc import Sequence
from typing import Any

from ._base import Unsupported
from ._classes import Classes
from ._definitions import CODE, EXPRESSION, Code, Definition, Lines, Parts, Statement, read_by
from ._functions import name_in_source
from ._program import Place
from ._scopes import Reference
from ._source import Fragment, NoSource, fragment_of_class
from ._varying import ENUM, is_fixed

# Methods that say how members are made and shown: they have been made, and are shown by Python.
_MAKING = ("__init__", "__new__", "_missing_", "_generate_next_value_", "__str__", "__repr__", "__format__")

_ORDER = "_sort_order_"
# What takes all members of an enum.
_GOING_THROUGH = ("list", "tuple", "len", "enumerate", "zip", "sorted", "reversed", "iter")


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
        is_chosen = self._is_chosen(cls)
        for member in cls:
            names = [_ORDER] if is_chosen and hasattr(member, _ORDER) else []
            names += ["name", "value", *(n for n in vars(member) if not n.startswith("_"))]
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
            self._state(cls, [definition, f".{member.name} = ", *made])
        for name, member in cls.__members__.items():
            if name != member.name:
                value = [repr(plain_of(member))] if plain_of(member) is not None else [definition, f".{member.name}"]
                self._state(cls, [definition, f".{name} = ", *value], after=self._members_of.get(cls, []))
        return definition

    def _is_chosen(self, cls: type) -> bool:
        """Whether the run chooses members: then they are told apart by the place that Python notes of each, for texts are compared before.

        By their names members are told apart when the program is compiled, which leaves out branches for others.
        """
        read = (self.target, f"{ENUM}{cls.__module__}.{cls.__qualname__}")
        self.varying.append(read)
        return is_fixed(read)

    def _state(self, cls: type, parts: Parts, after: Sequence[Definition] = ()) -> None:
        """Adds a line that gives an enum a member, or one more name for a member."""
        statement = Statement("", EXPRESSION, hard=[*read_by(parts), *after], parts=parts)
        self.definitions.append(statement)
        self._members_of.setdefault(cls, []).append(statement)

    def _used(self, code: Code, reference: Reference, depth: int, cls: type[enum.Enum]) -> bool:
        """Writes what is done with an enum as a whole: to look a member up, by value or name, and to go through all; false for other uses."""
        fragment = code.fragment
        assert fragment is not None
        place = (reference.span.line, reference.span.column, *reference.ends[depth])
        use = _use_of(fragment.node, place)
        if isinstance(use, ast.Call) and _place_of(use.func) == place:
            if len(use.args) != 1 or use.keywords:
                return False
            self._looked_up(code, use, use.func, use.args[0], cls)
        elif isinstance(use, ast.Subscript):
            self._looked_up(code, use, use.value, use.slice, cls)
        elif use is not None:
            self._replace(code, reference, depth, self._all_members(cls, fragment.node, use))
        else:
            return False
        return True

    def _looked_up(self, code: Code, use: ast.Call | ast.Subscript, head: ast.expr, key: ast.expr, cls: type[enum.Enum]) -> None:
        """Writes the member that is asked for where the source says which, else a function that looks it up."""
        fragment = code.fragment
        assert fragment is not None
        start = fragment.offset(head.lineno, head.col_offset)
        end = fragment.offset(use.end_lineno or 0, use.end_col_offset or 0)
        by_name = isinstance(use, ast.Subscript)
        if isinstance(key, ast.Constant):
            try:
                member = cls[str(key.value)] if by_name else cls(key.value)
            except (KeyError, ValueError):
                pass
            else:
                code.edits.append((start, end, self.expression(member, member.name, Place("item", (member,), 0))))
                return
        if getattr(cls._missing_, "__func__", None) is not getattr(enum.Enum._missing_, "__func__", None):
            raise Unsupported("an enum with a `_missing_` of its own, which looks members up")
        finder = self._finder(cls, by_name)
        before = fragment.offset(key.lineno, key.col_offset)
        code.edits.append((start, before, [finder, "("]))
        if by_name:
            code.edits.append((end - 1, end, [")"]))

    def _finder(self, cls: type[enum.Enum], by_name: bool) -> Definition:
        """The function that gives the member of a value or of a name."""

        def make() -> Lines:
            made = Lines(f"{cls.__name__}_of", CODE)
            made.lines = [["def ", made, "(key):"]]
            for name, member in cls.__members__.items():
                if by_name or name == member.name:
                    key = self.expression(name if by_name else member.value, name, Place("attr", member, "value"))
                    value = self.expression(member, name, Place("item", cls.__members__, name))
                    made.lines += [["    if key == ", *key, ":"], ["        return ", *value]]
            self.reserved.add("KeyError" if by_name else "ValueError")
            what = 'KeyError("this is no name' if by_name else 'ValueError("this is no value'
            made.lines.append([f'    raise {what} of a member of {cls.__name__}")'])
            return made

        return self._once(("finder", cls, by_name), make)

    def _all_members(self, cls: type[enum.Enum], node: ast.AST, use: ast.AST) -> Definition:
        """All members of an enum; those that are ints or texts by themselves are records where a loop asks for their names."""
        name = cls.__name__
        if plain_of(next(iter(cls), None)) is not None and _asks_for_names(node, use):
            return self._once(("records", cls), lambda: self._records(cls))
        members = tuple(cls)
        return self._once(("members", cls), lambda: self._value(f"{name}_members", self._container(members, name)))

    def _records(self, cls: type[enum.Enum]) -> Definition:
        """The enum as the language has enums, for its members as records."""
        kind = "IntEnum" if issubclass(cls, int) else "StrEnum"
        base = self._import("enum", kind, kind)
        made = Lines(cls.__name__, CODE, hard=[base])
        made.lines = [["class ", made, "(", base, "):"]]
        made.lines += [[f"    {member.name} = {plain_of(member)!r}"] for member in cls]
        return made

    def _member_class(self, cls: type, definition: Definition, names: list[str]) -> Definition:
        dataclass = self._import("dataclasses", "dataclass", "dataclass")
        any_type = self._import("typing", "Any", "Any")
        made = Lines(f"{cls.__name__}_member", CODE, hard=[definition, dataclass, any_type], owner=cls)
        field = self._import("dataclasses", "field", "field")
        made.hard.append(field)
        is_compared = names[0] == _ORDER
        rest: Parts = [" = ", field, "(compare=False)"] if is_compared else []
        fields: list[Parts] = [[f"    {name}: ", any_type, *(rest if name != _ORDER else [])] for name in names]
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


def _use_of(node: ast.AST, place: tuple[int | None, ...]) -> ast.AST | None:
    """What is done with the expression at a place, which is an enum: it is called, indexed, gone through or asked for what it has."""

    def is_it(e: ast.expr) -> bool:
        return _place_of(e) == place

    for part in ast.walk(node):
        if isinstance(part, (ast.For, ast.comprehension)) and is_it(part.iter):
            return part
        if isinstance(part, ast.Compare) and any(
            isinstance(op, (ast.In, ast.NotIn)) and is_it(e) for op, e in zip(part.ops, part.comparators, strict=True)
        ):
            return part
        if isinstance(part, ast.Subscript) and is_it(part.value):
            return part
        if isinstance(part, ast.Call):
            goes_through = isinstance(part.func, ast.Name) and part.func.id in _GOING_THROUGH
            if is_it(part.func) or (goes_through and any(map(is_it, part.args))):
                return part
    return None


def _place_of(e: ast.expr) -> tuple[int | None, ...]:
    return e.lineno, e.col_offset, e.end_lineno, e.end_col_offset


def _asks_for_names(node: ast.AST, use: ast.AST) -> bool:
    """Whether the variable of a loop is asked for its name or value."""
    if not (isinstance(use, (ast.For, ast.comprehension)) and isinstance(use.target, ast.Name)):
        return False
    loop = next(p for p in ast.walk(node) if p is use or use in getattr(p, "generators", ()))
    asked = (p.value for p in ast.walk(loop) if isinstance(p, ast.Attribute) and p.attr in ("name", "value"))
    return any(isinstance(e, ast.Name) and e.id == use.target.id for e in asked)


def plain_of(member: enum.Enum | None) -> int | float | str | None:
    """The number or the text that a member is itself, as those of `IntEnum` are."""
    for kind in (int, float, str):
        if isinstance(member, kind):
            return kind(member.value)
    return None
