"""Examples of the documentation print what it says."""

from __future__ import annotations

import doctest
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "docs" / "python.md", ROOT / "python" / "README.md", ROOT / "docs" / "study.md"]


def examples(page: str) -> str:
    """The page with nothing but its examples, each in the line where it stands."""
    lines, block = [""] * len(page.split("\n")), -1
    for i, line in enumerate(page.split("\n")):
        if line == "```python":
            block = i
        elif line == "```" and block >= 0:
            code = page.split("\n")[block + 1 : i]
            if all(map(importlib.util.find_spec, re.findall(r"^(?:import|from) (\w+)", "\n".join(code), re.MULTILINE))):
                lines[block + 1 : i] = code
            block = -1
    return "\n".join(lines)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples(page: Path, tmp_path: Path) -> None:
    text = examples(page.read_text())
    file = tmp_path / "example.py"
    file.write_text(text)
    done = subprocess.run([sys.executable, file], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    said = "".join(line.removeprefix("#>").removeprefix(" ") + "\n" for line in text.split("\n") if line.startswith("#>"))
    # Trailing blanks are not written on a page.
    found = "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())
    assert doctest.OutputChecker().check_output(said, found, doctest.ELLIPSIS), f"{page.name} says\n{said}\nand it is\n{found}"


def test_lengths() -> None:
    assert len(PAGES[0].read_text().splitlines()) <= 200
    assert len(PAGES[1].read_text().splitlines()) <= 60
