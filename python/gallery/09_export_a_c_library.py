"""Exports a function and its gradient as a library for C, which needs neither Python nor Gradus.

The program that a live function was captured as is a text: `source` gives it, with all that the function reaches. The
command `gradus build` makes a static library and a header of it. Here ctypes loads the library, as C would link it.
"""

import ctypes
import math
import shutil
import subprocess
import tempfile
from pathlib import Path

import gradus

RATE = 0.02


def normal(x):
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def call_price(spot, strike, years, volatility):
    """Black and Scholes."""
    spread = volatility * math.sqrt(years)
    d = (math.log(spot / strike) + RATE * years) / spread + 0.5 * spread
    return spot * normal(d) - strike * math.exp(-RATE * years) * normal(d - spread)


def build(folder, text):
    """The library, loaded; nothing if a tool for it is not there."""
    file = folder / "price.py"
    file.write_text(text)
    command, compiler = shutil.which("gradus"), shutil.which("cc")
    if command is None or compiler is None:
        print("the command `gradus` or a C compiler is not on PATH: the text stays a text")
        return None
    archive, shared = folder / "libprice.a", folder / "libprice.so"
    signature = "f64, f64, f64, f64"
    made = [command, "build", file, "main", "--sig", signature, "--name", "price", "-o", archive, "--header", folder / "price.h"]
    print(subprocess.run(made, check=True, capture_output=True, text=True).stdout, end="")
    whole = ["-Wl,--whole-archive", archive, "-Wl,--no-whole-archive"]
    subprocess.run([compiler, "-shared", "-o", shared, *whole, "-lm"], check=True)
    return ctypes.CDLL(shared)


def main():
    arguments = (100.0, 105.0, 0.5, 0.25)
    value, gradient = gradus.value_and_grad(call_price, argnums=(0, 1, 2, 3))(*arguments)
    print(f"the price is {value:.6f}, its slopes are {[round(g, 6) for g in gradient]}")
    d = (math.log(100.0 / 105.0) + RATE * 0.5) / (0.25 * math.sqrt(0.5)) + 0.125 * math.sqrt(0.5)
    assert math.isclose(gradient[0], normal(d)), "the slope in the spot is N(d)"

    text = gradus.jit(call_price).source(*arguments)
    print(text)
    with tempfile.TemporaryDirectory() as folder:
        library = build(Path(folder), text)
        if library is not None:
            results = [ctypes.c_double() for _ in range(5)]
            given = [ctypes.c_double(a) for a in arguments]
            status = library.price_price_grad(*given, *map(ctypes.byref, results))
            assert status == 0
            found = [r.value for r in results]
            print("from C:", [round(v, 6) for v in found])
            assert all(math.isclose(a, b, rel_tol=1e-12) for a, b in zip(found, [value, *gradient]))


if __name__ == "__main__":
    main()
