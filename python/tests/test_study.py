"""Studies of live functions and of files, and pages of compiled functions. No test looks at times."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import gradus

RATE = 1.01


def power(x: float, n: int) -> float:
    r = 1.0
    for _ in range(n):
        r = r * x * RATE
    return r


def total(w: np.ndarray) -> float:
    return float((w * w).sum())


def test_a_study_of_live_functions() -> None:
    begun: list[str] = []
    found = gradus.study(
        gradus.program(power, 1.01, 20, kind="loop", sweep={"n": [10, 40]}),
        gradus.program(total, np.ones(3), name="sum", sweep={0: [2]}, orders=[1]),
        title="Two",
        seconds=0.0,
        orders=[1, 2],
        strategies=["closure", "stack", "forward"],
        progress=begun.append,
    )
    assert begun == ["power-1", "power-2", "power-1-n-10", "power-2-n-10", "power-1-n-40", "power-2-n-40", "sum-1", "sum-1-w-2"]
    kinds = {(row["program"], row["kind"], row["order"], row["argument"], row["at"]) for row in found}
    assert ("power", "loop", 2, "n", 40) in kinds and ("sum", "program", 1, "w", 2) in kinds
    assert {row["strategy"] for row in found if row["order"] == 2} >= {"closure,stack", "forward", "value"}
    assert all(row["error"] is None and (row["difference"] or 0.0) < 1e-12 for row in found)
    finding = next(f for f in found.findings if f.name == "time-1")
    assert finding.startswith("Order 1: ") and finding.table[0][0] == "kind" and finding in found.text.splitlines()
    assert "sweep-power-n-1" in found.plots and found.plots["sweep-power-n-1"]._repr_svg_().startswith("<svg")
    assert "<td>closure" in found._repr_html_() and found.page().startswith("<!doctype html>")
    assert str(found).splitlines()[0].split()[:4] == ["program", "argument", "at", "order"]


def test_a_study_in_a_folder_goes_on(tmp_path: Path) -> None:
    begun: list[str] = []

    def run() -> gradus.Study:
        cube = gradus.program(lambda x: x**3, 2.0, name="cube")
        return gradus.study(cube, out=tmp_path / "out", seconds=0.0, strategies=["stack"], progress=begun.append)

    first, again = run(), run()
    assert begun == ["cube-1"] and [row["runs"] for row in first] == [row["runs"] for row in again]
    written = {p.name for p in (tmp_path / "out").iterdir()}
    assert {"report.html", "study.csv", "study.json", "findings.md", "plots", "records"} <= written
    assert json.loads((tmp_path / "out/study.json").read_text())["title"] == "A study"
    assert again.save(tmp_path / "copy").joinpath("study.csv").exists()


def test_a_study_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("def cube(x): return x ** 3\n")
    lines = ['title = "T"', "seconds = 0.0", "[[program]]", 'file = "p.py"', 'function = "cube"', "args = [2.0]"]
    (tmp_path / "study.toml").write_text("\n".join(lines))
    found = gradus.study(tmp_path / "study.toml", seconds=0.0)
    assert found[0]["program"] == "cube" and not (tmp_path / "report").exists()
    (tmp_path / "study.toml").write_text("\n".join([*lines, "wrong = 1"]))
    with pytest.raises(gradus.CompileError, match="unknown field `wrong`"):
        gradus.study(tmp_path / "study.toml")


def test_what_cannot_be_studied_is_refused() -> None:
    cube = gradus.program(power, 1.01, 20)
    with pytest.raises(gradus.CompileError, match="an order is a number from 1 to 6") as refused:
        gradus.study(cube, orders=[9])
    assert refused.value.lineno == 1
    with pytest.raises(gradus.Error, match="returns .*float64"):
        gradus.study(gradus.program(lambda x: 2.0 * x, np.ones(2), name="pair"), seconds=0.0)
    with pytest.raises(ValueError, match="two programs"):
        gradus.study(cube, cube)
    with pytest.raises(ValueError, match="no argument 'm'"):
        gradus.study(gradus.program(power, 1.01, 20, sweep={"m": [1]}))
    with pytest.raises(ValueError, match="no derivative"):
        gradus.study(gradus.program(power, 1.01, 20, argnums=3))
    with pytest.raises(ValueError, match="clock"):
        gradus.study(cube, clock="sun", seconds=0.0)
    with pytest.raises(RuntimeError, match="enough"):
        gradus.study(cube, seconds=0.0, progress=_enough)


def _enough(name: str) -> None:
    raise RuntimeError("enough")


class _Parts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.data = ""
        self.loads: list[str] = []
        self._is_data = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [f"{name}={value}" for name, value in attrs if name in ("src", "href")]
        self._is_data = ("id", "data") in attrs

    def handle_data(self, data: str) -> None:
        if self._is_data:
            self.data += data


def test_a_page_has_all_stages(tmp_path: Path) -> None:
    page = gradus.grad(power).page(1.5, 3)
    parts = _Parts()
    parts.feed(page)
    data = json.loads(parts.data)
    assert not parts.loads and not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    assert [s["name"] for s in data["stages"]] == ["source", "typed", "adjoint", "optimised", "lowered", "machine"]
    assert [(c["since"], c["to"]) for c in data["changes"]] == [(1, 2), (1, 3), (2, 3), (1, 4), (2, 4), (3, 4)]
    of_both = data["changes"][1]
    assert of_both["added"] and of_both["removed"] and max(of_both["removed"]) < len(data["stages"][1]["drawn"]["nodes"])
    optimised = data["stages"][3]
    drawn = optimised["drawn"]
    assert drawn["svg"].count('<g class="node"') == len(drawn["nodes"])
    assert drawn["svg"].count('<g class="cluster"') == len(drawn["clusters"])
    assert drawn["svg"].count('<g class="edge"') == len(drawn["edges"])
    # The place of a product is that in this file.
    product = next(n for n in drawn["nodes"] if " = mul " in n["text"] and n["place"])
    section, start, end = product["place"]
    assert data["sections"][section]["file"].endswith("test_study.py")
    assert data["sections"][section]["text"][start:end] in ("r * x * RATE", "r * x")
    assert all(n["text"] in optimised["text"] for n in drawn["nodes"])
    assert page.save(tmp_path / "page.html").read_text() == page and "<iframe" in page._repr_html_()
