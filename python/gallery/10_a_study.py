"""Measures how strategies compare as a loop grows, and writes a table as CSV.

The figure of interest is the time of a gradient over that of the value: theory says a small constant, for any length.
Usage: python 10_a_study.py [--out study.csv] [--plot study.png]
"""

import argparse
import csv
import math
import sys
import time

import gradus


def pendulum(angle, speed, n):
    """A loop of n steps; it is held back where it is fast, so steps differ."""
    for _ in range(n):
        speed = speed - 0.01 * math.sin(angle)
        if abs(speed) > 0.5:
            speed = speed - 0.001 * speed * abs(speed)
        angle = angle + 0.01 * speed
    return angle


def seconds(f, *args):
    """The least time of a call in several rounds."""
    f(*args)
    best = math.inf
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(5):
            f(*args)
        best = min(best, (time.perf_counter() - start) / 5)
    return best


def rows(sizes):
    value = gradus.jit(pendulum)
    forwards = gradus.jit(lambda a, s, n: gradus.jvp(pendulum, (a, s, n), (1.0, 0.0, None))[1])
    gradients = {s: gradus.jit(lambda a, s, n: gradus.grad(pendulum)(a, s, n), strategy=s) for s in ("closure", "stack")}
    for n in sizes:
        plain = seconds(value, 1.0, 0.0, n)
        for strategy, gradient in gradients.items():
            assert math.isclose(gradient(1.0, 0.0, n), forwards(1.0, 0.0, n), rel_tol=1e-9)
            taken = seconds(gradient, 1.0, 0.0, n)
            yield {"strategy": strategy, "steps": n, "value_us": plain * 1e6, "gradient_us": taken * 1e6, "ratio": taken / plain}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", help="file for the table; the screen if it is left out")
    parser.add_argument("--plot", help="file for a picture, if Matplotlib is installed")
    chosen = parser.parse_args()
    table = [{k: round(v, 3) if isinstance(v, float) else v for k, v in row.items()} for row in rows([10, 100, 1000, 10000])]
    with open(chosen.out, "w", newline="") if chosen.out else sys.stdout as file:
        writer = csv.DictWriter(file, table[0])
        writer.writeheader()
        writer.writerows(table)
    assert all(row["ratio"] < 30.0 for row in table if row["steps"] >= 1000)
    if chosen.plot:
        import matplotlib.pyplot as plt

        for strategy in ("closure", "stack"):
            own = [row for row in table if row["strategy"] == strategy]
            plt.loglog([row["steps"] for row in own], [row["gradient_us"] for row in own], "o-", label=strategy)
        plt.xlabel("steps")
        plt.ylabel("µs for a gradient")
        plt.legend()
        plt.savefig(chosen.plot)


if __name__ == "__main__":
    main()
