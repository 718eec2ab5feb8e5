"""Writes frontend/src/python/library/ziggurat.py: the layers of the ziggurats (Marsaglia, Tsang 2000) that NumPy's generators draw from.

    pip install mpmath numpy
    python tests/oracle/ziggurat.py            # writes the file, and compares draws with NumPy's
    python tests/oracle/ziggurat.py --check    # compares the file, too, and writes nothing

A density f falls from f(0) = 1. Its 256 layers have one area v; layer i reaches from f(x[i]) up to f(x[i - 1]), and layer 0 is the
rectangle under f(x[255]) with the tail beyond. So x[i] f(x[i]) + v of the layers above gives x[i - 1], from the outermost inwards. A row
for each layer:

    w = x / 2**bits               a draw of `bits` bits times w is a point of the layer
    k = 2**bits x[i - 1] / x[i]   below it the point is under the density without a further look
    f = f(x)                      else it lies between f(x[i]) and f(x[i - 1])

Layers of exponentials come from exact arithmetic. Those of normals do not: the recurrence multiplies what is lost, and NumPy's numbers
are those that doubles give. They follow from the outermost x and the area in doubles, and from one value of `exp` that is the other
double beside the exact one.
"""

import math
import sys
from pathlib import Path

import mpmath
import numpy
from mpmath import mp, mpf

FILE = Path(__file__).resolve().parents[2] / "frontend/src/python/library/ziggurat.py"
LAYERS = 256
mp.dps = 60


def exponentials():
    """x of each layer, and the area."""

    def layers(r):
        x, v = [r], r * mpmath.exp(-r) + mpmath.exp(-r)
        while len(x) < LAYERS - 1:
            x.append(-mpmath.log(v / x[-1] + mpmath.exp(-x[-1])))
        return [mpf(0), *reversed(x)], v

    def gap(r):
        x, v = layers(r)
        return v / x[1] + mpmath.exp(-x[1]) - 1

    near = mpf("7.697117470131")
    return layers(mpmath.findroot(gap, (near, near + mpf(10) ** -12), solver="secant"))


def normals():
    x, f, v = [0.0] * LAYERS, [1.0] * LAYERS, 0.004928673233974652
    x[-1] = 3.6541528853610088
    for i in reversed(range(1, LAYERS)):
        f[i] = math.exp(-0.5 * x[i] * x[i])
        if i == 38:
            f[i] = math.nextafter(f[i], 1.0)
        if i > 1:
            x[i - 1] = math.sqrt(-2.0 * math.log(v / x[i] + f[i]))
    return x, f, v


def table(x, f, v, bits):
    size = 2**bits
    base = v / f[-1]
    w = [base / size] + [x[i] / size for i in range(1, LAYERS)]
    k = [math.floor(x[-1] / base * size)] + [math.floor(x[i - 1] / x[i] * size) for i in range(1, LAYERS)]
    return [*map(float, w), *map(float, k), *map(float, f)]


def tables():
    x, v = exponentials()
    far, near = table(x, [mpmath.exp(-t) for t in x], v, 53), table(*normals(), 52)
    return {"normals": (near, normals()[0][-1]), "exponentials": (far, float(x[-1]))}


# Draws --------------------------------------------------------------------------------------------------------------------------


def normal(bits, unit, t, r):
    while True:
        u = next(bits)
        i, sign, at = u & 255, u >> 8 & 1, u >> 9 & (1 << 52) - 1
        x = -at * t[i] if sign else at * t[i]
        if at < t[256 + i]:
            return x
        if i == 0:
            while True:
                far, y = -(1.0 / r) * math.log1p(-unit()), -math.log1p(-unit())
                if 2 * y > far * far:
                    return -(r + far) if at >> 8 & 1 else r + far
        if (t[511 + i] - t[512 + i]) * unit() + t[512 + i] < math.exp(-0.5 * x * x):
            return x


def exponential(bits, unit, t, r):
    while True:
        u = next(bits)
        i, at = u >> 3 & 255, u >> 11
        x = at * t[i]
        if at < t[256 + i]:
            return x
        if i == 0:
            return r - math.log1p(-unit())
        if (t[511 + i] - t[512 + i]) * unit() + t[512 + i] < math.exp(-x):
            return x


def main():
    text = "# Written by tests/oracle/ziggurat.py: w, k and f of each layer, one after the other, and where the tail begins.\n\n"
    for name, (numbers, tail) in tables().items():
        rows = [", ".join(map(repr, numbers[i : i + 6])) for i in range(0, len(numbers), 6)]
        text += f"def _layers_of_{name}():\n    return array_of((\n        " + ",\n        ".join(rows) + f",\n    ))\n"
        text += f"def _tail_of_{name}():\n    return {tail!r}\n"
    if "--check" in sys.argv[1:]:
        assert FILE.read_text() == text, f"{FILE.name} is not what is generated"
    else:
        FILE.write_text(text)
    n, failed = 1_000_000, 0
    for name, draw in (("normals", normal), ("exponentials", exponential)):
        numbers, tail = tables()[name]
        for seed in range(3):
            rng = numpy.random.default_rng(seed)
            expected = rng.standard_normal(n) if name == "normals" else rng.standard_exponential(n)
            bits = iter(numpy.random.PCG64(seed).random_raw(n + n // 10).tolist())
            unit = lambda: (next(bits) >> 11) * 2.0**-53
            found = numpy.array([draw(bits, unit, numbers, tail) for _ in range(n)])
            off = numpy.nonzero(found != expected)[0]
            failed += len(off)
            print(f"{name}, seed {seed}: {n} draws, {len(off)} differ", *(f"{found[i]!r} {expected[i]!r}" for i in off[:3]))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
