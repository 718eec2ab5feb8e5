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


def test_study_as_files(tmp_path: Path) -> None:
    subprocess.run([sys.executable, GALLERY / "10_a_study.py", "--out", tmp_path / "report"], check=True, timeout=300)
    text = (tmp_path / "report" / "study.csv").read_text()
    assert "pendulum,program,n,1000,1,stack," in text and (tmp_path / "report" / "plots" / "sweep-pendulum-n-1.svg").exists()
