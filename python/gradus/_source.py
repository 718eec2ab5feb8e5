"""Source of live functions and classes: the part of a file in which a code object was written."""

from __future__ import annotations
import __future__

import ast
import copy
import functools
import linecache
import operator
import sys
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any

from ._errors import Unsupported
from ._scopes import Imported, Owner, Reference, names_of

_FUTURES = functools.reduce(operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names))


class NoSource(Unsupported):
    """Source of a function or class that cannot be found."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"`{name}` cannot be captured: it is {reason}")
        self.name = name
        self.reason = reason


@dataclass(frozen=True, eq=False)
class Fragment:
    """A function, lambda or class, as it stands in its file."""

    file: str
    node: Owner
    first: int
    """Number of its first line."""
    source: bytes
    starts: tuple[int, ...]
    """Where its lines begin; the first may begin before the source."""
    margins: tuple[tuple[int, int], ...]
    """White space that all its lines have, and that the text has not."""
    references: tuple[Reference, ...]
    bound: frozenset[str]
    imports: tuple[Imported, ...]
    variables: set[str]
    """Names that functions of the file assign at the top level."""
    attributes: frozenset[str]
    """Names of all attributes in it."""

    def offset(self, line: int, column: int) -> int:
        """Place in the source of a place in the file."""
        return self.starts[line - self.first] + column


@dataclass
class _File:
    lines: list[str]
    functions: dict[tuple[int, str], list[Owner]] = field(default_factory=dict)
    classes: dict[str, list[ast.ClassDef]] = field(default_factory=dict)
    imported: list[str] = field(default_factory=list)
    """Names that its top level imports: attributes of these are other code."""
    variables: set[str] = field(default_factory=set)
    """Names that some function declares `global`."""


_files: dict[str, _File] = {}
_fragments: dict[int, tuple[weakref.ref[Any], Fragment]] = {}


def fragment_of_function(function: FunctionType) -> Fragment:
    """Where the code of a function was written."""
    code = function.__code__
    known = _fragments.get(id(code))
    if known is not None and known[0]() is code:
        return known[1]
    file = _file(code.co_filename, function.__globals__, function.__name__)
    key = (code.co_firstlineno, code.co_name)
    candidates = [node for node in file.functions.get(key, ()) if _has_parameters(node, code)]
    if len(candidates) > 1:
        candidates = [_the_lambda(candidates, code, file.imported)]
    if not candidates or not _is_current(candidates[0], code, file.imported):
        raise NoSource(function.__name__, f"in the file {code.co_filename}, which has changed since Python read it")
    return _remember(code, _fragment(code.co_filename, file, candidates[0]))


def fragment_of_class(cls: type) -> Fragment:
    """Where a class was written."""
    known = _fragments.get(id(cls))
    if known is not None and known[0]() is cls:
        return known[1]
    line: int | None = vars(cls).get("__firstlineno__")
    methods = list(methods_of(cls))
    found: list[tuple[str, _File, ast.ClassDef]] = []
    for name in _files_of_class(cls, methods):
        try:
            file = _file(name, {}, cls.__name__)
        except NoSource:
            continue
        found += [(name, file, node) for node in file.classes.get(cls.__qualname__, ())]
    own = [m.__code__ for m in methods if m.__qualname__.startswith(cls.__qualname__ + ".")]
    by_methods = [
        (name, file, node)
        for name, file, node in found
        if any(c.co_filename == name and node.lineno <= c.co_firstlineno <= (node.end_lineno or 0) for c in own)
    ]
    by_line = [one for one in found if line in (one[2].lineno, _first_line(one[2]))]
    chosen = by_line or by_methods or found
    if not chosen:
        raise NoSource(cls.__name__, "a class that no file has")
    name, file, node = chosen[-1]
    for method in methods:
        method_code = method.__code__
        if method_code.co_filename == name and node.lineno <= method_code.co_firstlineno <= (node.end_lineno or 0):
            nodes = file.functions.get((method_code.co_firstlineno, method_code.co_name), ())
            if not any(_is_current(n, method_code, file.imported) for n in nodes):
                raise NoSource(cls.__name__, f"in the file {name}, which has changed since Python read it")
    return _remember(cls, _fragment(name, file, node))


def methods_of(cls: type) -> Iterator[FunctionType]:
    """Functions of a class itself: methods, also static ones and those of the class, and properties."""
    for value in list(vars(cls).values()):
        function = plain_method(value)
        if function is not None:
            yield function


def is_written_in(method: FunctionType, cls: type) -> bool:
    """Whether a method is from the module of its class, and not one that `dataclass` made."""
    return method.__globals__.get("__name__") == cls.__module__ and not method.__code__.co_filename.startswith("<string")


def plain_method(value: object) -> FunctionType | None:
    """Function that an entry of a class stands for."""
    if isinstance(value, (staticmethod, classmethod)):
        value = value.__func__
    elif isinstance(value, property):
        value = value.fget
    return value if isinstance(value, FunctionType) else None


def _files_of_class(cls: type, methods: list[FunctionType]) -> list[str]:
    module = sys.modules.get(cls.__module__)
    names = [m.__code__.co_filename for m in methods if is_written_in(m, cls)]
    if isinstance(file := getattr(module, "__file__", None), str):
        names.append(file)
    if not names or cls.__module__ == "__main__":
        # Cells of notebooks and examples of documents, the latest last.
        names += [name for name in linecache.cache if name.startswith("<") or "ipykernel" in name]
    return list(dict.fromkeys(names))


def _file(name: str, scope: Mapping[str, Any], whose: str) -> _File:
    linecache.checkcache(name)
    lines = linecache.getlines(name, dict(scope) if "__loader__" in scope else None)
    if not lines:
        what = "made by `exec` or typed at a prompt" if name.startswith("<") else f"in the file {name}, which cannot be read"
        raise NoSource(whose, what)
    known = _files.get(name)
    if known is not None and (known.lines is lines or known.lines == lines):
        return known
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError as error:
        raise NoSource(whose, f"in the file {name}, which is no Python now ({error.msg})") from None
    file = _File(lines)
    _index(file, tree, "")
    _find_imports(file, tree)
    _files[name] = file
    return file


def _index(file: _File, tree: ast.AST, prefix: str) -> None:
    todo: list[tuple[ast.AST, str]] = [(tree, prefix)]
    while todo:
        node, prefix = todo.pop()
        inner = prefix
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            file.functions.setdefault((_first_line(node), node.name), []).append(node)
            inner = f"{prefix}{node.name}.<locals>."
        elif isinstance(node, ast.Lambda):
            file.functions.setdefault((node.lineno, "<lambda>"), []).append(node)
            inner = f"{prefix}<lambda>.<locals>."
        elif isinstance(node, ast.ClassDef):
            file.classes.setdefault(prefix + node.name, []).append(node)
            inner = f"{prefix}{node.name}."
        elif isinstance(node, ast.Global):
            file.variables |= set(node.names)
        children = [(child, inner) for child in ast.iter_child_nodes(node)]
        todo += reversed(children)


def _find_imports(file: _File, tree: ast.AST) -> None:
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            file.imported += [(a.asname or a.name).split(".")[0] for a in node.names if a.name != "*"]
        elif isinstance(node, (ast.Module, ast.stmt)) and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            todo += ast.iter_child_nodes(node)


def _first_line(node: Owner) -> int:
    decorators = [] if isinstance(node, ast.Lambda) else node.decorator_list
    return min([node.lineno, *(d.lineno for d in decorators)])


def _has_parameters(node: Owner, code: CodeType) -> bool:
    if isinstance(node, ast.ClassDef):
        return False
    args = node.args
    names = [a.arg for a in [*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, [args.vararg, args.kwarg])]]
    # Names of the form `__x` are others in a class.
    own = code.co_varnames[: len(names)]
    return len(own) == len(names) and all(a == b or b.endswith(a) for a, b in zip(names, own, strict=True))


def _the_lambda(candidates: list[Owner], code: CodeType, imported: list[str]) -> Owner:
    """Which of several lambdas of a line a code object is."""
    lambdas = [node for node in candidates if isinstance(node, ast.Lambda)]
    positions = getattr(code, "co_positions", None)
    places = [p for p in positions() if None not in p and p != (p[0], p[1], 0, 0)] if positions else []
    if places:
        inside = [node for node in lambdas if all(_contains(node.body, p) for p in places)]
        if inside:
            # The innermost.
            return max(inside, key=lambda node: (node.lineno, node.col_offset))
    same = [node for node in lambdas if _is_same(node, code, imported)]
    return (same or lambdas or candidates)[0]


def _contains(node: ast.expr, place: tuple[int, int, int, int]) -> bool:
    line, end_line, column, end_column = place
    return (node.lineno, node.col_offset) <= (line, column) and (end_line, end_column) <= (
        node.end_lineno or 0,
        node.end_col_offset or 0,
    )


def _is_same(node: Owner, code: CodeType, imported: list[str]) -> bool:
    """Whether a code object is what Python makes of this source now."""
    assert not isinstance(node, ast.ClassDef)
    tree = ast.parse("def outer():\n    " + "".join(f"{name} = " for name in code.co_freevars) + "None")
    outer = tree.body[0]
    assert isinstance(outer, ast.FunctionDef)
    if isinstance(node, ast.Lambda):
        outer.body.append(ast.copy_location(ast.Return(node), node))
    else:
        if node.name not in code.co_freevars:
            outer.body.append(ast.copy_location(ast.Global([node.name]), node))
        bare = copy.copy(node)
        bare.decorator_list = []
        outer.body.append(bare)
    flags = code.co_flags & _FUTURES
    if imported:
        tree.body.insert(0, ast.parse("import " + ", ".join(f"a as {name}" for name in imported)).body[0])
    made = next(c for c in compile(tree, "<gradus>", "exec", flags, dont_inherit=True).co_consts if isinstance(c, CodeType))
    return any(_equals(c, code) for c in made.co_consts if isinstance(c, CodeType) and c.co_name == code.co_name)


def _equals(made: CodeType, live: CodeType) -> bool:
    if made.co_code != live.co_code or len(made.co_consts) != len(live.co_consts):
        return False
    for a, b in zip(made.co_consts, live.co_consts, strict=True):
        if isinstance(a, CodeType):
            if not isinstance(b, CodeType) or not _equals(a, b):
                return False
        elif not isinstance(a, (str, frozenset)) and repr(a) != repr(b):
            return False
    if made.co_varnames != live.co_varnames or len(made.co_names) != len(live.co_names):
        return False
    # Names of the form `__x` are others in a class.
    return all(a == b or b.endswith(a) for a, b in zip(made.co_names, live.co_names, strict=True))


def _is_current(node: Owner, code: CodeType, imported: list[str]) -> bool:
    """Whether source is that of the code still; tools for tests write other code for `assert`."""
    return _is_same(node, code, imported) or any(isinstance(part, ast.Assert) for part in ast.walk(node))


def _remember(owner: Any, fragment: Fragment) -> Fragment:
    key = id(owner)
    _fragments[key] = (weakref.ref(owner, lambda _: _fragments.pop(key, None)), fragment)
    return fragment


def _fragment(name: str, file: _File, node: Owner) -> Fragment:
    # Decorators of functions are those of the live object.
    first = _first_line(node) if isinstance(node, ast.ClassDef) else node.lineno
    end = node.end_lineno or first
    lines = [line.encode() for line in file.lines[first - 1 : end]]
    lines[-1] = lines[-1][: node.end_col_offset]
    begin = node.col_offset if isinstance(node, ast.Lambda) else 0
    source = b"".join(lines)[begin:]
    starts = [-begin]
    for line in lines:
        starts.append(starts[-1] + len(line))
    names = names_of(node)
    margins = () if isinstance(node, ast.Lambda) else tuple(_margins(node, lines, starts, first))
    references, bound, imports = tuple(names.references), frozenset(names.bound), tuple(names.imports)
    attributes = frozenset(part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute))
    return Fragment(name, node, first, source, tuple(starts), margins, references, bound, imports, file.variables, attributes)


def _margins(node: Owner, lines: list[bytes], starts: list[int], first: int) -> Iterator[tuple[int, int]]:
    """White space before lines, but for lines that a string goes on in."""
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    if not indent:
        return
    inside: set[int] = set()
    for part in ast.walk(node):
        is_text = isinstance(part, ast.JoinedStr) or (isinstance(part, ast.Constant) and isinstance(part.value, (str, bytes)))
        if is_text and part.end_lineno > part.lineno:  # type: ignore[attr-defined]
            inside |= set(range(part.lineno + 1, part.end_lineno + 1))  # type: ignore[attr-defined]
    for i, line in enumerate(lines):
        if first + i in inside:
            continue
        blank = len(line) - len(line.lstrip(b" \t"))
        length = len(indent) if line.startswith(indent) else min(blank, len(indent))
        if length:
            yield starts[i], starts[i] + length
