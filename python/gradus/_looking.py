"""Drawings and tables, which notebooks display."""

from __future__ import annotations

import html
from typing import Any

__all__ = ["Picture", "Table"]


class Picture(str):
    """A drawing: the text of an SVG."""

    def _repr_svg_(self) -> str:
        return str(self)


class Table(list[dict[str, Any]]):
    """Rows of figures, which notebooks show as a table and `pandas.DataFrame` takes."""

    _COLUMNS = {
        "way": "way",
        "seconds": "time",
        "ratio": "of the value",
        "bytes_kept": "bytes kept",
        "nodes": "nodes",
        "code_bytes": "bytes of code",
        "compile_seconds": "compiled in",
        "difference": "difference",
    }

    def _cells(self) -> list[list[str]]:
        def text(name: str, row: dict[str, Any]) -> str:
            value = row.get(name)
            if value is None:
                return row.get("error", "") if name == "seconds" else ""
            if name in ("seconds", "compile_seconds"):
                unit = next((u for u in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")) if value >= u[0]), (1e-9, "ns"))
                return f"{value / unit[0]:.3g} {unit[1]}"
            return f"{value:.3g}" if isinstance(value, float) else str(value)

        return [[text(name, row) for name in self._COLUMNS] for row in self]

    def __str__(self) -> str:
        cells = [list(self._COLUMNS.values()), *self._cells()]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        return "\n".join("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells)

    def _repr_html_(self) -> str:
        def row(cells: Any, tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(c)}</{tag}>" for c in cells) + "</tr>"

        return "<table>" + row(self._COLUMNS.values(), "th") + "".join(row(c, "td") for c in self._cells()) + "</table>"
