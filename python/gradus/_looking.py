"""Drawings, pages and tables, which notebooks display."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

__all__ = ["Page", "Picture", "Table", "table_of"]


class Picture(str):
    """A drawing: the text of an SVG."""

    def _repr_svg_(self) -> str:
        return str(self)


class Page(str):
    """A page that loads nothing: the text of an HTML file."""

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page to a file."""
        file = Path(path)
        file.write_text(self, encoding="utf-8")
        return file

    def _repr_html_(self) -> str:
        # A page has styles and a script of its own, which the notebook's are to be kept from.
        return f'<iframe srcdoc="{html.escape(self)}" width="100%" height="700" style="border:1px solid #ccc"></iframe>'


class Table(list[dict[str, Any]]):
    """Rows of figures, which notebooks show as a table and `pandas.DataFrame` takes."""

    _COLUMNS: ClassVar[Mapping[str, str]] = {
        "way": "way",
        "seconds": "time",
        "ratio": "of the value",
        "bytes_kept": "bytes kept",
        "nodes": "nodes",
        "code_bytes": "bytes of code",
        "compile_seconds": "compiled in",
        "difference": "difference",
    }
    """The keys that are shown, and the heads of their columns."""
    _SECONDS: ClassVar[tuple[str, ...]] = ("seconds", "compile_seconds")
    """Those that are times; in the first stands why there is none."""

    def _cells(self) -> list[list[str]]:
        def text(name: str, row: dict[str, Any]) -> str:
            value = row.get(name)
            if value is None:
                return (row.get("error") or "").partition("\n")[0] if name == self._SECONDS[0] else ""
            if name in self._SECONDS:
                unit = next((u for u in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")) if value >= u[0]), (1e-9, "ns"))
                return f"{value / unit[0]:.3g} {unit[1]}"
            return f"{value:.3g}" if isinstance(value, float) else str(value)

        return [[text(name, row) for name in self._COLUMNS] for row in self]

    def __str__(self) -> str:
        cells = [list(self._COLUMNS.values()), *self._cells()]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells)

    def _repr_html_(self) -> str:
        return table_of([list(self._COLUMNS.values()), *self._cells()])


def table_of(cells: Iterable[Iterable[str]]) -> str:
    """Rows of cells, the head first, as a table of HTML."""

    def row(cells: Iterable[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

    return "<table>" + "".join(row(line, "td" if i else "th") for i, line in enumerate(cells)) + "</table>"
