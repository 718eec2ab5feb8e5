"""The scripts that people learn from, each as they would run it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

GALLERY = Path(__file__).parent.parent / "gallery"


@pytest.mark.parametrize("script", sorted(GALLERY.glob("*.py")), ids=lambda path: path.stem)
def test_script(script: Path, tmp_path: Path) -> None:
    if "scipy" in script.read_text():
        pytest.importorskip("scipy")
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") > 1


def test_study_as_a_file(tmp_path: Path) -> None:
    out = tmp_path / "study.csv"
    subprocess.run([sys.executable, GALLERY / "10_a_study.py", "--out", out], check=True, timeout=300)
    assert out.read_text().startswith("strategy,steps,value_us,gradient_us,ratio\nclosure,10,")
