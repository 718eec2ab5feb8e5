"""Every program of `tests/programs` as a live file: its values and gradients are those that the Rust tests know, too."""

from __future__ import annotations

import importlib.util
import json
import math
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import gradus

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "tests" / "programs").glob("*.py"))


def header(text: str) -> dict[str, list[str]]:
    """The lines `# key: value` at the beginning of a program."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        key, _, value = line[1:].partition(":")
        found.setdefault(key.strip(), []).append(value.strip())
    return found


def read(text: str, module: ModuleType, single: bool) -> list[Any]:
    """Arguments as the command has them: nested lists of numbers are arrays."""

    def number(v: Any) -> float:
        return float(v["v"] if isinstance(v, dict) else v)

    def is_number(v: Any) -> bool:
        return type(v) in (int, float) or isinstance(v, dict) and v.get("t") == "f64"

    def array(v: Any) -> Any:
        level = [v]
        while level and all(isinstance(item, list) for item in level):
            if len({len(item) for item in level}) != 1:
                return None
            level = [inner for item in level for inner in item]
        if not level or not all(map(is_number, level)):
            return None
        made = np.array(json.loads(json.dumps(v), object_hook=number))
        return made.astype(np.float32) if single and made.dtype == float else made

    def value(v: Any) -> Any:
        if isinstance(v, list):
            made = array(v)
            return [value(item) for item in v] if made is None else made
        if not isinstance(v, dict):
            return v
        kind, content = v.get("t"), v.get("v")
        if kind == "array":
            made = np.array([float(x) if isinstance(x, str) else x for x in v["data"]], dtype=v["dtype"])
            return made.reshape(v["shape"])
        if kind == "tuple":
            return tuple(value(item) for item in content)
        if kind == "list":
            return [value(item) for item in content]
        if kind == "complex":
            return complex(*map(float, content))
        if kind == "struct":
            return getattr(module, v["cls"])(**{k: value(item) for k, item in content.items()})
        if kind in ("f64", "i64"):
            return number(v) if kind == "f64" else content
        return {k: value(item) for k, item in (content if kind == "dict" else v).items()}

    return [value(v) for v in json.loads(f"[{text}]")]


def floats(v: Any) -> Iterator[float]:
    """The numbers of an answer in order, of Python or of JSON."""
    if v is None or isinstance(v, bool):
        return
    if isinstance(v, str):
        if v in ("nan", "inf", "-inf"):
            yield float(v)
        return
    if isinstance(v, complex):
        yield from (v.real, v.imag)
    elif isinstance(v, (int, float, np.generic)):
        yield float(v)
    elif isinstance(v, np.ndarray):
        yield from floats(v.tolist())
    elif isinstance(v, dict):
        for item in v.values():
            yield from floats(item)
    elif is_dataclass(v):
        for field in fields(v):
            yield from floats(getattr(v, field.name))
    elif isinstance(v, (list, tuple)):
        for item in v:
            yield from floats(item)
    else:
        for item in vars(v).values():
            yield from floats(item)


def agree(found: Any, expected: Any, tolerance: float) -> bool:
    a, b = list(floats(found)), list(floats(expected))
    scale = max((abs(v) for v in b if math.isfinite(v)), default=0.0)
    return len(a) == len(b) and all(
        x == y or math.isnan(x) and math.isnan(y) or abs(x - y) <= tolerance * scale for x, y in zip(a, b)
    )


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"program_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Classes say by the name of their module where their text is.
    sys.modules[module.__name__] = module
    spec.loader.exec_module(module)
    return module


def is_active(v: Any) -> bool:
    return any(True for _ in floats(v)) and not isinstance(v, (int, str)) and getattr(v, "dtype", np.dtype(float)).kind == "f"


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_program(path: Path) -> None:
    text = path.read_text()
    head = header(text)
    try:
        module = load(path)
    except ModuleNotFoundError as e:
        pytest.skip(str(e))
    entry = getattr(module, head["entry"][0])
    single = head.get("precision") == ["single"]
    tolerance = 1e-5 if single else 1e-12
    function = gradus.jit(entry)
    for args, line in zip(head["args"], path.with_suffix(".out").read_text().splitlines(), strict=True):
        expected = json.loads(line)
        values = read(args, module, single)
        if expected.get("value") is not None:
            found = function(*values)
            assert agree(found, expected["value"], tolerance), (found, expected["value"])
        if expected.get("gradient") is not None:
            wrt = [int(i) for i in head["wrt"][0].split(",")] if "wrt" in head else [i for i, v in enumerate(values) if is_active(v)]
            _, gradient = gradus.value_and_grad(entry, argnums=tuple(wrt))(*values)
            assert agree(gradient, expected["gradient"], tolerance), (gradient, expected["gradient"])
