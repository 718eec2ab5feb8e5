"""Writes ir/tests/elementary.csv: elementary functions at some numbers, as rows `name,x,y,rest`: the bits of x, those of the
correctly rounded result, and what is left of the result in units of the last place of y (so that errors below one unit show).

    pip install mpmath
    python tests/oracle/elementary.py
"""

import math
import random
import struct
from pathlib import Path

import mpmath

mpmath.mp.prec = 2200

random.seed(20240501)


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def row(name, x):
    exact = getattr(mpmath, name)(mpmath.mpf(x))
    y = float(exact)
    rest = float((exact - mpmath.mpf(y)) / mpmath.mpf(math.ulp(y)))
    return f"{name},{bits(x):016x},{bits(y):016x},{rest:.3f}"


def around(center, steps):
    x = center
    for _ in range(steps):
        x = math.nextafter(x, -math.inf)
    for _ in range(2 * steps + 1):
        yield x
        x = math.nextafter(x, math.inf)


signed = lambda low, high: math.copysign(math.exp(random.uniform(math.log(low), math.log(high))), random.random() - 0.5)
TURNS = [k * math.pi / 2 for k in (1, 2, 3, 4, 5, 7, 22, 355, 710, 1024, 103993, 312689, 573204)]
ARGUMENTS = {
    "exp": [signed(1e-18, 708) for _ in range(300)] + [random.uniform(-2, 2) for _ in range(300)]
    + [x for k in (-1000, -3, -1, 1, 2, 500) for x in around((k + 0.5) * math.log(2), 3)] + [-708.0, 709.0, 1e-300],
    "log": [math.exp(random.uniform(-700, 700)) for _ in range(300)] + [random.uniform(0.4, 2.5) for _ in range(300)]
    + [x for c in (0.5, math.sqrt(0.5), 1.0, math.sqrt(2), 2.0) for x in around(c, 5)] + [2.0**-1022, 1.7976931348623157e308],
    "sin": [signed(1e-300, 1e6) for _ in range(300)] + [random.uniform(-7, 7) for _ in range(400)]
    + [x for t in TURNS for x in around(t, 3)] + [x for t in TURNS for x in around(t / 2, 1)],
}
ARGUMENTS["cos"] = ARGUMENTS["sin"]
NEAR_ZERO = [signed(1e-300, 1e-3) for _ in range(100)] + [random.uniform(-0.4, 0.4) for _ in range(300)]
ARGUMENTS["expm1"] = ARGUMENTS["exp"] + NEAR_ZERO
ARGUMENTS["log1p"] = (
    NEAR_ZERO + [x - 1 for x in ARGUMENTS["log"] if x < 1e290] + [random.uniform(-0.999, 3) for _ in range(300)] + [math.nextafter(-1, 0)]
)
ARGUMENTS["log1p"] = [x for x in ARGUMENTS["log1p"] if x > -1]
ARGUMENTS["tanh"] = (
    NEAR_ZERO + [random.uniform(-2, 2) for _ in range(600)] + [signed(1e-18, 20) for _ in range(300)]
    + [x for k in (1, 2, 3, 5, 21) for x in around((k - 0.5) * math.log(2) / 2, 3)] + [-20.0, 20.0]
)
ARGUMENTS["erf"] = (
    NEAR_ZERO + [random.uniform(-2, 2) for _ in range(600)] + [signed(1e-18, 6) for _ in range(300)] + list(around(1.0, 5)) + [-6.0, 6.0]
)

if __name__ == "__main__":
    lines = [row(name, x) for name, arguments in ARGUMENTS.items() for x in arguments if x]
    (Path(__file__).parents[2] / "ir/tests/elementary.csv").write_text("\n".join(lines) + "\n")
