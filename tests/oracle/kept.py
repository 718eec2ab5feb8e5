"""Runs random programs by CPython and compares their values with those of the command.

    RANDOM_KEEP=FOLDER PROPTEST_CASES=1000 cargo test --test random lists
    python tests/oracle/kept.py FOLDER target/debug/gradus

`tests/random.rs` compares the ways of Gradus with each other; here an interpreter that shares nothing with them says what a program
means. Programs that take derivatives themselves are left out. Exit code 1 where a value differs.
"""

import json
import pathlib
import subprocess
import sys
import types

import numpy as np


class Derivative(Exception):
    pass


def no_derivative(*_):
    raise Derivative


def value_of(text, args):
    """What CPython gives; the exception's name where it raises; None where a derivative is asked for."""
    scope = {}
    try:
        exec(text, scope)
        return float(scope["main"](*args))
    except Derivative:
        return None
    except Exception as e:
        return type(e).__name__


def main(folder, command):
    operators = types.ModuleType("gradus")
    operators.grad = operators.value_and_grad = no_derivative
    sys.modules["gradus"] = operators
    compared = left = wrong = 0
    for path in sorted(pathlib.Path(folder).glob("*.py"), key=lambda path: int(path.stem)):
        text = path.read_text()
        args = json.loads("[" + text.split("\n", 1)[0].removeprefix("# main(").removesuffix(")") + "]")
        expected = value_of(text, [np.array(a) if isinstance(a, list) else a for a in args])
        if expected is None:
            left += 1
            continue
        run = subprocess.run([command, "run", path, "main", *map(json.dumps, args)], capture_output=True, text=True)
        compared += 1
        if isinstance(expected, str):
            agree = run.returncode == 1
        else:
            agree = run.returncode == 0 and abs(float(run.stdout) - expected) <= 1e-12 * max(1.0, abs(expected))
        if not agree:
            wrong += 1
            print(f"{path}: {expected} by CPython, {run.stdout.strip() or run.stderr.strip()}")
    print(f"{compared} compared, {wrong} differ, {left} left out")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
