"""Programs in StableHLO, the input language of XLA, for JAX and for files."""

from __future__ import annotations

import functools
import io
import json
import os
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ._errors import CompileError, Error
from ._function import Function, program_of
from ._on_jax import flat, on_trees
from ._operators import _jitted, _parameters
from ._options import current, settled
from ._program import Program
from ._trees import Tree, by_reference, reference

__all__ = ["Exported", "export", "load_exported"]

_FORMAT, _VERSION = "gradus export", 1


@dataclass(frozen=True)
class Argument:
    """An argument of an exported function, by its place or by its name: a tree, or a part of the program."""

    key: int | str
    name: str
    tree: Tree | None
    value: Any = None

    def data(self) -> dict[str, Any]:
        """What a file says of it."""
        said: dict[str, Any] = {"key": self.key, "name": self.name}
        if self.tree is not None:
            return {**said, "tree": self.tree.data()}
        if isinstance(self.value, str):
            return {**said, "text": self.value}
        found = reference(self.value)
        if found is None:
            hint = f"export a function that has `{self.name}` from elsewhere, as `lambda x: f(x, {self.name})` has it"
            raise Error(f"the argument `{self.name}` has no name by which another process finds it\n  hint: {hint}")
        return {**said, "reference": found}

    @staticmethod
    def read(data: Mapping[str, Any]) -> Argument:
        """What `data` gives."""
        if "tree" in data:
            return Argument(data["key"], data["name"], Tree.read(data["tree"]))
        value = data["text"] if "text" in data else by_reference(data["reference"])
        return Argument(data["key"], data["name"], None, value)


class Exported:
    """A function in StableHLO, for arguments of some types and shapes."""

    name: str
    stablehlo: str
    """The program. If `faults` has some, its first result is a status: 0, or the number of a fault, counted from 1."""
    params: list[str]
    """The types of the tensors that the program takes. The last ones are the arrays that the function reads beside its arguments."""
    results: list[str]
    """The types of the tensors that it gives, without the status."""
    faults: list[tuple[str, int | None]]
    """How it may fail: the kind, and the line."""

    def __init__(
        self,
        program: Mapping[str, Any],
        arguments: list[Argument],
        constants: list[Any],
        classes: Callable[[], Mapping[str, type]],
        pullback: Callable[[], Exported],
    ) -> None:
        self.name = program["name"]
        self.stablehlo = program["stablehlo"]
        self._artifact: bytes | None = program["artifact"]
        self.params, self.results = list(program["params"]), list(program["results"])
        self.faults = [(kind, line) for kind, line in program["faults"]]
        self._arguments = arguments
        self._result = Tree.read(program["result"])
        self._constants = constants
        self._find_classes = classes
        self._derive = pullback

    def __repr__(self) -> str:
        return f"<gradus export of {self.name}: ({', '.join(self.params)}) -> ({', '.join(self.results)})>"

    @functools.cached_property
    def _classes(self) -> Mapping[str, type]:
        return self._find_classes()

    @functools.cached_property
    def _pullback(self) -> Exported:
        """The function of a cotangent and of the arguments with a tree that gives a tuple of their cotangents."""
        return self._derive()

    @functools.cached_property
    def _flat(self) -> Callable[..., Any]:
        return flat(self)

    def jax(self) -> Callable[..., Any]:
        """A function for programs of JAX: for `jax.jit`, on as many devices as its arguments lie on, for `jax.grad` to any order in
        reverse mode, whose gradients are those of Gradus, and for `jax.vmap`, row by row.

        It takes what the function takes and gives arrays of JAX. Where the program fails, all floats of the result are NaN; ints and
        booleans are of no meaning then. `faults` says what may fail.
        """
        return on_trees(self)

    def artifact(self) -> bytes:
        """The program as a portable artifact of StableHLO: bytes that other tools and later versions of XLA read. Arguments and results are
        those of the text.
        """
        if self._artifact is None:
            raise Error("the file was saved by a version of Gradus that wrote no artifact\n  hint: export the function again")
        return self._artifact

    def save(self, path: str | os.PathLike[str], *, orders: int = 1) -> Path:
        """Writes a file that `load_exported` reads, with derivatives up to an order."""
        file = Path(path)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            self._write(archive, "", orders)
        return file

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Exported:
        """What `save` wrote."""
        return load_exported(path)

    def _write(self, archive: zipfile.ZipFile, folder: str, orders: int) -> None:
        classes = {name: reference(cls) for name, cls in self._classes.items()}
        if unknown := [name for name, found in classes.items() if found is None]:
            raise Error(f"another process does not find the class `{unknown[0]}`\n  hint: define it at the top level of a module")
        arguments = [argument.data() for argument in self._arguments]
        derivative = "" if orders > 0 and self._is_differentiable() else "the file has no derivative of this order"
        if not derivative:
            try:
                self._pullback._write(archive, f"{folder}pullback/", orders - 1)
            except CompileError as e:
                derivative = str(e)
        said = {
            "format": _FORMAT,
            "version": _VERSION,
            "name": self.name,
            "params": self.params,
            "results": self.results,
            "faults": self.faults,
            "arguments": arguments,
            "result": self._result.data(),
            "classes": classes,
            "constants": len(self._constants),
            "no_derivative": derivative,
        }
        archive.writestr(f"{folder}export.json", json.dumps(said, indent=1))
        archive.writestr(f"{folder}program.mlir", self.stablehlo)
        if self._artifact is not None:
            archive.writestr(f"{folder}program.mlirbc", self._artifact)
        for i, constant in enumerate(self._constants):
            data = io.BytesIO()
            np.save(data, constant, allow_pickle=False)
            archive.writestr(f"{folder}constants/{i}.npy", data.getvalue())

    def _is_differentiable(self) -> bool:
        """Whether there are floats in the arguments and in the result."""
        return self._result.has_floats() and any(a.tree is not None and a.tree.has_floats() for a in self._arguments)


def export(f: Callable[..., Any], *args: Any, trips: int = 1024, elements: int = 1024, **kwargs: Any) -> Exported:
    """`f` in StableHLO for arguments like these: of the same types, shapes and keys; strings and functions among them are parts of the
    program. Arrays and numbers that `f` reads elsewhere are what they are now.

    Tapes, stacks of recursion and heaps have room for `trips` records where the program does not say how many there are, and lists of
    numbers for `elements`. A program that XLA cannot run is `Unsupported`.
    """
    made, settings = _jitted(f), current()
    taken, captured, values, said = made._compiled(args, kwargs, lambda native, values: native.export(values, trips, elements))
    passed = len(taken.passed)
    # Derivatives are compiled later, of the function as it is now.
    values = (*taken.passed, *(np.array(value) if isinstance(value, np.ndarray) else value for value in values[passed:]))
    names = _parameters(getattr(made, "__wrapped__", made))
    named: list[tuple[int | str, str]] = [(i, names[i] if i < len(names) else f"args[{i}]") for i in range(len(args))]
    options = settled({**made._own_options, **settings})
    return _exported(_Whole(made, captured.program, options, (trips, elements)), said, [*named, *((k, k) for k in kwargs)], taken.static, values)


@dataclass(frozen=True)
class _Whole:
    """A function as it was captured, and what it is compiled under."""

    function: Function
    program: Program
    options: Mapping[str, Any]
    room: tuple[int, int]


def _exported(
    whole: _Whole, said: Mapping[str, Any], named: list[tuple[int | str, str]], static: Mapping[int | str, Any], values: tuple[Any, ...]
) -> Exported:
    """What the compiler says of a program for such values, of which the first are arguments and the last are given beside them."""
    trees, classes, given = map(Tree.read, said["arguments"]), whole.program.classes, whole.program.given
    arguments = [Argument(key, name, None, static[key]) if key in static else Argument(key, name, next(trees)) for key, name in named]
    beside = zip(trees, values[len(values) - len(given) :], given, strict=True)
    constants = [np.asarray(leaf) for tree, value, place in beside for _, leaf, _ in tree.paired(value, place.name, classes)]

    def derived() -> Exported:
        program = whole.program.pullback()
        cotangent = exported._result.built(lambda leaf: leaf.example() if leaf.is_float() else None, classes)
        wider = (cotangent, *values)
        try:
            said = program_of(program, whole.options, "").export(wider, *whole.room)
        except CompileError as e:
            raise whole.function._placed(e) from None
        own = [argument.name for argument in arguments if argument.tree is not None]
        return _exported(replace(whole, program=program), said, list(enumerate(["cotangent", *own])), {}, wider)

    name = getattr(whole.function, "__name__", type(whole.function).__name__)
    exported = Exported({**said, "name": name}, arguments, constants, lambda: classes, derived)
    return exported


def load_exported(path: str | os.PathLike[str]) -> Exported:
    """What `Exported.save` wrote. Nothing is compiled by Gradus, and no code in the file runs."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _read(archive, "")
    except (zipfile.BadZipFile, KeyError) as e:
        raise Error(f"{os.fspath(path)} is no export of Gradus: {e}") from None


def _read(archive: zipfile.ZipFile, folder: str) -> Exported:
    said = json.loads(archive.read(f"{folder}export.json"))
    if said.get("format") != _FORMAT or said.get("version") != _VERSION:
        raise Error(f"the export has version {said.get('version')}, and this version of Gradus reads version {_VERSION}")
    files = [archive.read(f"{folder}constants/{i}.npy") for i in range(said["constants"])]
    constants = [np.load(io.BytesIO(data), allow_pickle=False) for data in files]
    arguments = [Argument.read(argument) for argument in said["arguments"]]
    pullback = None if said["no_derivative"] else _read(archive, f"{folder}pullback/")

    def derived() -> Exported:
        if pullback is None:
            raise Error(said["no_derivative"])
        return pullback

    def classes() -> dict[str, type]:
        return {name: by_reference(found) for name, found in said["classes"].items()}

    binary = f"{folder}program.mlirbc"
    artifact = archive.read(binary) if binary in archive.namelist() else None
    program = {**said, "stablehlo": archive.read(f"{folder}program.mlir").decode(), "artifact": artifact}
    return Exported(program, arguments, constants, classes, derived)
