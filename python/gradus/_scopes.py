"""Names that a piece of source reads from outside of itself, with their places."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from ._library import is_followed

Role = Literal["body", "head", "note"]
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Owner = Function | ast.ClassDef

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Span:
    """Range in a file: lines from 1, columns in bytes of UTF-8 from 0."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class Reference:
    """Use of a name that nothing in the piece binds.

    The role says when it is looked up: "body" in a call, "head" when the definition is executed, "note" in an annotation.
    """

    name: str
    chain: tuple[str, ...]
    """Attributes that are taken of it, as `("linalg", "norm")`."""
    ends: tuple[tuple[int, int], ...]
    """End of the name, and of each attribute."""
    span: Span
    role: Role
    is_exact: bool = True
    """Whether the span is that of the name: else that of what it stands in."""


@dataclass(frozen=True)
class Imported:
    """Name that a function imports from a module of the user."""

    name: str
    module: str
    level: int
    attribute: str | None
    span: Span
    """Of the statement."""


@dataclass
class _Scope:
    bound: set[str]
    outside: set[str]
    is_class: bool = False


@dataclass
class Names:
    """What a piece of source reads and binds."""

    references: list[Reference] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)
    imports: list[Imported] = field(default_factory=list)


def names_of(node: Owner) -> Names:
    """Names of a function without its decorators and defaults, or of a class with all that is in it."""
    scan = _Scan()
    if isinstance(node, ast.ClassDef):
        scan.role = "head"
        scan.class_definition(node)
    else:
        scan.function(node)
    return scan.names


class _Scan:
    """Walk over a tree with the scopes that enclose the place."""

    def __init__(self) -> None:
        self.names = Names()
        self.scopes: list[_Scope] = []
        self.role: Role = "body"
        self.string: ast.JoinedStr | None = None

    # Scopes.

    def is_local(self, name: str) -> bool:
        for i in reversed(range(len(self.scopes))):
            scope = self.scopes[i]
            if scope.is_class and i + 1 < len(self.scopes):
                continue
            if name in scope.outside:
                return False
            if name in scope.bound:
                return True
        return False

    def enter(self, scope: _Scope) -> None:
        self.names.bound |= scope.bound
        self.scopes.append(scope)

    def function(self, node: Function) -> None:
        arguments = node.args
        parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        parameters += [a for a in (arguments.vararg, arguments.kwarg) if a]
        for parameter in parameters:
            self.annotation(parameter.annotation)
        body: list[ast.AST]
        if isinstance(node, ast.Lambda):
            body = [node.body]
        else:
            self.annotation(node.returns)
            body = list(node.body)
        scope = _bindings(body)
        scope.bound |= {a.arg for a in parameters} | _type_parameters(node)
        scope.outside -= {a.arg for a in parameters}
        before, self.role = self.role, "body"
        self.enter(scope)
        self.all(body)
        self.scopes.pop()
        self.role = before

    def class_definition(self, node: ast.ClassDef) -> None:
        self.all(node.decorator_list)
        self.all(node.bases)
        self.all(keyword.value for keyword in node.keywords)
        scope = _bindings(node.body)
        scope.is_class = True
        scope.bound |= _type_parameters(node)
        self.enter(scope)
        self.all(node.body)
        self.scopes.pop()

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        self.visit(node.generators[0].iter)
        bound = {name for g in node.generators for name in _targets(g.target)}
        self.enter(_Scope(bound, set()))
        for i, generator in enumerate(node.generators):
            if i > 0:
                self.visit(generator.iter)
            self.visit(generator.target)
            self.all(generator.ifs)
        self.all([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])
        self.scopes.pop()

    # Uses.

    def all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, (ast.Name, ast.Attribute)):
            self.chain(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            if not isinstance(node, ast.Lambda):
                self.all(node.decorator_list)
            self.all(node.args.defaults)
            self.all(default for default in node.args.kw_defaults if default)
            self.function(node)
        elif isinstance(node, ast.ClassDef):
            self.class_definition(node)
        elif isinstance(node, _COMPREHENSIONS):
            self.comprehension(node)
        elif isinstance(node, ast.AnnAssign):
            self.annotation(node.annotation)
            self.visit(node.target)
            if node.value:
                self.visit(node.value)
        elif isinstance(node, ast.Global):
            for name in node.names:
                self.add(name, (), ((0, 0),), node, is_exact=False)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self.names.imports += _of_user(node)
        elif isinstance(node, ast.JoinedStr) and self.string is None:
            # Places in strings are not known before Python 3.12.
            self.string = node
            self.all(ast.iter_child_nodes(node))
            self.string = None
        else:
            self.all(ast.iter_child_nodes(node))

    def chain(self, node: ast.Name | ast.Attribute) -> None:
        attributes: list[ast.Attribute] = []
        value: ast.expr = node
        while isinstance(value, ast.Attribute):
            attributes.append(value)
            value = value.value
        if not isinstance(value, ast.Name):
            self.visit(value)
        elif not self.is_local(value.id):
            read = [a for a in reversed(attributes) if isinstance(a.ctx, ast.Load)]
            ends = tuple((n.end_lineno or 0, n.end_col_offset or 0) for n in [value, *read])
            self.add(value.id, tuple(a.attr for a in read), ends, value)

    def annotation(self, node: ast.expr | None) -> None:
        if node is None:
            return
        before, self.role = self.role, "note"
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and not self.is_local(part.id):
                self.add(part.id, (), ((part.end_lineno or 0, part.end_col_offset or 0),), part)
            elif isinstance(part, ast.Constant) and isinstance(part.value, str):
                self.quoted(part, part.value)
        self.role = before

    def quoted(self, node: ast.Constant, text: str) -> None:
        try:
            tree = ast.parse(text, mode="eval")
        except SyntaxError:
            return
        for part in ast.walk(tree):
            if isinstance(part, ast.Name) and not self.is_local(part.id):
                self.add(part.id, (), ((0, 0),), node, is_exact=False)

    def add(self, name: str, chain: tuple[str, ...], ends: tuple[tuple[int, int], ...], node: ast.AST, is_exact: bool = True) -> None:
        place = self.string or node
        span = Span(place.lineno, place.col_offset, place.end_lineno or 0, place.end_col_offset or 0)  # type: ignore[attr-defined]
        is_exact = is_exact and self.string is None
        self.names.references.append(Reference(name, chain, ends, span, self.role, is_exact))


def _of_user(node: ast.Import | ast.ImportFrom) -> list[Imported]:
    """What a statement imports, where that is from modules of the user alone."""
    span = Span(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
    if isinstance(node, ast.ImportFrom):
        module = node.module or ""
        if not node.level and not is_followed(module):
            return []
        return [Imported(a.asname or a.name, module, node.level, a.name, span) for a in node.names]
    if not all(is_followed(a.name) for a in node.names):
        return []
    # `import a.b` binds `a`.
    return [Imported(a.asname or a.name.split(".")[0], a.name if a.asname else a.name.split(".")[0], 0, None, span) for a in node.names]


def _type_parameters(node: ast.AST) -> set[str]:
    return {p.name for p in getattr(node, "type_params", ())}


def _targets(node: ast.AST) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield part.id


def _bindings(body: Iterable[ast.AST]) -> _Scope:
    """What statements bind in their own scope."""
    bound: set[str] = set()
    outside: set[str] = set()
    enclosing: set[str] = set()
    # Names in comprehensions are their own, but for those that `:=` binds.
    todo: list[tuple[ast.AST, bool]] = [(node, False) for node in body]
    while todo:
        node, inner = todo.pop()
        if isinstance(node, ast.Name):
            if not inner and not isinstance(node.ctx, ast.Load):
                bound.add(node.id)
            continue
        if isinstance(node, ast.NamedExpr):
            bound |= set(_targets(node.target))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
            todo += [(d, inner) for d in node.decorator_list]
            continue
        elif isinstance(node, ast.Lambda):
            continue
        elif isinstance(node, (ast.Import, ast.ImportFrom)) and not _of_user(node):
            bound |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Global):
            outside |= set(node.names)
        elif isinstance(node, ast.Nonlocal):
            enclosing |= set(node.names)
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            bound.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            bound.add(node.rest)
        inner = inner or isinstance(node, _COMPREHENSIONS)
        todo += [(child, inner) for child in ast.iter_child_nodes(node)]
    return _Scope(bound - outside - enclosing, outside)
