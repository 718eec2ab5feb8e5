"""Takes the gradient of an ordinary function, and looks at three ways to use it.

`gradus.grad(f)` is a function of the arguments of `f`. The first call compiles it for the types and shapes of its
arguments; calls with others of the same kind run the machine code at once.
"""

import math
import time

import gradus
import numpy as np


def energy(x):
    """Lennard-Jones energy of two particles at a distance."""
    return 4.0 * ((1.0 / x) ** 12 - (1.0 / x) ** 6)


def total(positions):
    """Energy of a chain of particles, by a loop over pairs as one writes it."""
    result = 0.0
    for i in range(len(positions)):
        for j in range(i):
            result += energy(abs(positions[i] - positions[j]))
    return result


def main():
    force = gradus.grad(energy)
    rest = 2.0 ** (1.0 / 6.0)
    print(f"the slope at the minimum is {force(rest):.1e}")
    assert abs(force(rest)) < 1e-12
    # The curvature there is 57.1464…, 72 / 2^(1/3).
    curvature = gradus.grad(force)(rest)
    assert math.isclose(curvature, 72.0 / 2.0 ** (1.0 / 3.0))

    positions = np.linspace(0.0, 22.0, 20) + 0.05 * np.sin(np.arange(20.0))
    gradient = gradus.grad(total)
    slopes = gradient(positions)
    print(f"slopes of 20 particles add up to {slopes.sum():.1e}")
    assert abs(slopes.sum()) < 1e-10

    step = 1e-5 * np.eye(20)[3]
    difference = (total(positions + step) - total(positions - step)) / 2e-5
    print(f"that of the fourth is {slopes[3]:.6f}, by differences {difference:.6f}")
    assert math.isclose(slopes[3], difference, rel_tol=1e-6)

    value, slopes_too = gradus.value_and_grad(total)(positions)
    assert math.isclose(value, total(positions)) and np.array_equal(slopes, slopes_too)

    start = time.perf_counter()
    for _ in range(1000):
        gradient(positions)
    microseconds = (time.perf_counter() - start) * 1e3
    start = time.perf_counter()
    total(positions)
    python = (time.perf_counter() - start) * 1e6
    print(f"the gradient takes {microseconds:.1f} µs, the energy alone in Python {python:.0f} µs")


if __name__ == "__main__":
    main()
