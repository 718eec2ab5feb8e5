"""Studies: many programs by many ways, measured in turns, from a notebook."""

from __future__ import annotations

import html
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from . import _native
from ._looking import Page, Picture, Table, table_of
from ._operators import _jitted, _parameters

__all__ = ["Finding", "Program", "Study", "program", "study"]

# What a study measures of each way, in seconds, if nobody says it.
_SECONDS = 0.05

# A list of more items is named by its length in tables.
_WRITTEN = 8


@dataclass(frozen=True)
class Program:
    """A function with arguments, for `study`: what `program` makes."""

    f: Callable[..., Any]
    args: tuple[Any, ...]
    name: str
    kind: str
    argnums: tuple[int, ...] | None
    sweep: Mapping[str | int, Sequence[Any]]
    ways: Mapping[str, Any]


def program(
    f: Callable[..., Any],
    *args: Any,
    name: str | None = None,
    kind: str = "program",
    argnums: int | Sequence[int] | None = None,
    sweep: Mapping[str | int, Sequence[Any]] | None = None,
    **ways: Any,
) -> Program:
    """A program of a `study`: a function that returns a float, and its arguments.

    `kind` is a word by which findings group programs. Derivatives are taken in the arguments `argnums`, or in all that hold floats;
    above order 1, in the first float of them. `sweep` has values for an argument, by its name or number; for a list or an array,
    lengths: its items are repeated. `ways` are the axes of this program, in the place of those of the study.
    """
    shown = name if name is not None else re.sub(r"[^\w-]+", "_", getattr(f, "__name__", type(f).__name__)).strip("_")
    if not re.fullmatch(r"[\w-]+", shown):
        raise ValueError(f"{shown!r} is no name of a program: letters, digits, `_` and `-` make one")
    numbers = (argnums,) if isinstance(argnums, int) else None if argnums is None else tuple(argnums)
    return Program(f, args, shown, kind, numbers, dict(sweep or {}), ways)


def study(
    *programs: Program | str | os.PathLike[str],
    title: str = "A study",
    seconds: float | None = None,
    clock: str = "cpu",
    quick: bool = False,
    only: str | None = None,
    out: str | os.PathLike[str] | None = None,
    fresh: bool = False,
    against: str | os.PathLike[str] | None = None,
    peers: bool = False,
    progress: Callable[[str], object] | None = None,
    **ways: Any,
) -> Study:
    """Measures programs by many ways to their derivatives, in turns, and says what the figures prove.

    Programs are what `program` makes, or the path of a study's file. The axes are `orders`, `strategies`, `closures`, `simplify`,
    `math`, `recompute`, `backends`, `passes` and `cross`, as in a file; each way is measured for `seconds` at least, on the `clock` "cpu"
    or "wall". With `out` everything is written to a folder, and a study that was interrupted goes on where it was; `fresh`, `against`,
    `quick`, `only` and `peers` are the flags of the command, the last three for files. `progress` is called with the name of each case.
    """
    if len(programs) == 1 and not isinstance(programs[0], Program):
        if ways:
            raise TypeError(f"the file says what is measured: leave out {', '.join(ways)}")
        made = _native.Study.read(Path(programs[0]), quick, only, seconds)
    else:
        made = _native.Study.of(title, _subjects(programs, ways, only), _SECONDS if seconds is None else seconds, clock)
    folders = [None if f is None else Path(f) for f in (out, against)]
    return Study(made.run(folders[0], fresh, folders[1], peers, progress))


class Finding(str):
    """A sentence that the figures of a study prove."""

    name: str
    table: list[list[str]]
    """The figures: rows of cells, the head first."""

    def __new__(cls, text: str, name: str, table: list[list[str]]) -> Finding:
        made = super().__new__(cls, text)
        made.name, made.table = name, table
        return made


class Study(Table):
    """What a study found: a row for each way of each case, in the columns of `study.csv`, which `pandas.DataFrame` takes.

    Times are in seconds, memory in bytes.
    """

    _COLUMNS: ClassVar[Mapping[str, str]] = {
        "program": "program",
        "argument": "argument",
        "at": "at",
        "order": "order",
        "strategy": "strategy",
        "closures": "closures",
        "simplify": "simplify",
        "math": "math",
        "backend": "backend",
        "passes": "passes",
        "median_s": "time",
        "ratio": "of the value",
        "ratio_low": "from",
        "ratio_high": "to",
        "kept_bytes": "bytes kept",
        "nodes_lowered": "nodes",
        "code_bytes": "bytes of code",
        "compile_s": "compiled in",
    }
    _SECONDS: ClassVar[tuple[str, ...]] = ("median_s", "compile_s")

    findings: list[Finding]
    """The sentences that the figures prove, each with its table."""
    plots: dict[str, Picture]
    """The plots of findings and sweeps, by their names."""

    def __init__(self, report: _native.Report) -> None:
        super().__init__(report.rows())
        self._report = report
        self.findings = [Finding(text, name, table) for name, text, table in report.findings()]
        self.plots = {name: Picture(svg) for name, svg in report.plots()}

    @property
    def text(self) -> str:
        """The findings, and what changed since an earlier run, one a line."""
        return "\n".join(self._report.sentences())

    def page(self) -> Page:
        """The report: tables, plots, programs with their graphs, findings."""
        return Page(self._report.html())

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Writes the files of a study into a folder: `report.html`, `study.csv`, `study.json`, `findings.md`, plots."""
        self._report.write(Path(folder))
        return Path(folder)

    def _repr_html_(self) -> str:
        def folded(head: str, body: str) -> str:
            return f"<details><summary>{html.escape(head)}</summary>{body}</details>"

        parts = [f"<p>{html.escape(line)}</p>" for line in self._report.sentences()]
        parts += [folded(f"figures of {f.name}", table_of(f.table)) for f in self.findings if f.table]
        parts += [folded(f"plot {name}", svg) for name, svg in self.plots.items()]
        return "".join([*parts, folded(f"{len(self)} rows", super()._repr_html_())])


def _subjects(
    programs: Sequence[Program | str | os.PathLike[str]], ways: Mapping[str, Any], only: str | None
) -> list[tuple[str, str, str, str, list[int], list[Any]]]:
    subjects: list[tuple[str, str, str, str, list[int], list[Any]]] = []
    for one in programs:
        if not isinstance(one, Program):
            raise TypeError("a study is of one file, or of what `gradus.program(f, …)` makes")
        if any(name == one.name for name, *_ in subjects):
            raise ValueError(f"two programs are called `{one.name}`: give one of them another `name`")
        if only is None or only in one.name:
            axes = "".join(f"{axis} = {json.dumps(values)}\n" for axis, values in {**ways, **one.ways}.items())
            subjects.append((one.name, one.kind, getattr(one.f, "__name__", one.name), axes, *_points(one)))
    return subjects


def _points(one: Program) -> tuple[list[int], list[Any]]:
    """The numbers of the arguments that derivatives are taken in, and the program at each of its arguments."""
    f = _jitted(one.f)
    wrt = f._measured(one.args, one.argnums)[2]
    points: list[tuple[tuple[str, float] | None, tuple[Any, ...], int | None]] = [(None, one.args, None)]
    names = _parameters(getattr(f, "__wrapped__", f))
    for said, values in one.sweep.items():
        place = said if isinstance(said, int) else names.index(said) if said in names else len(one.args)
        if not 0 <= place < len(one.args):
            raise ValueError(f"`{one.name}` has no argument {said!r} to sweep")
        name = names[place] if place < len(names) else str(place)
        for value in values:
            item = _at(one.args[place], value)
            number = float(item) if isinstance(item, (int, float)) else float(len(item))
            points.append(((name, number), (*one.args[:place], item, *one.args[place + 1 :]), place))
    rows = []
    for point, args, swept in points:
        program, passed, _ = f._measured(args, one.argnums)
        written = [names[i] if i == swept and i < len(names) else _written(v) for i, v in enumerate(args)]
        rows.append((point, program, passed, f"{one.name}({', '.join(written)})"))
    return wrt, rows


def _at(argument: Any, value: Any) -> Any:
    """What stands in the place of an argument in a sweep: a number, or so many items, those of the argument again and again."""
    if isinstance(argument, np.ndarray) and isinstance(value, int):
        return np.resize(argument, (value, *argument.shape[1:]))
    if isinstance(argument, list) and isinstance(value, int):
        return (argument * (value // max(len(argument), 1) + 1))[:value]
    return float(value) if isinstance(argument, float) else value


def _written(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}" if value.size > _WRITTEN else str(value.tolist())
    if isinstance(value, (list, tuple, dict)) and len(value) > _WRITTEN:
        return f"{type(value).__name__} of {len(value)}"
    return getattr(value, "__name__", None) or repr(value)
