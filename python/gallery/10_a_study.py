"""Measures how strategies compare as a loop grows: a table, the findings, and a folder with plots and a report.

The figure of interest is the time of a gradient over that of the value: theory says a small constant, for any length.
Usage: python 10_a_study.py [--out FOLDER]
"""

import argparse
import math

import gradus


def pendulum(angle, speed, n):
    """A loop of n steps; it is held back where it is fast, so steps differ."""
    for _ in range(n):
        speed = speed - 0.01 * math.sin(angle)
        if abs(speed) > 0.5:
            speed = speed - 0.001 * speed * abs(speed)
        angle = angle + 0.01 * speed
    return angle


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", help="folder for the report, its tables and plots")
    chosen = parser.parse_args()
    found = gradus.study(
        gradus.program(pendulum, 1.0, 0.0, 10, argnums=0, sweep={"n": [100, 1000, 10000]}),
        title="A pendulum",
        strategies=["closure", "stack", "forward"],
        seconds=0.02,
        out=chosen.out,
    )
    print(f"{'strategy':10}{'steps':>8}{'µs':>12}{'÷ value':>10}{'bytes kept':>12}")
    for row in found:
        steps = 10 if row["at"] is None else row["at"]
        print(f"{row['strategy']:10}{steps:8}{row['median_s'] * 1e6:12.2f}{row['ratio']:10.2f}{row['kept_bytes']:12}")
    print(found.text)
    assert all(row["ratio"] < 30.0 and row["difference"] < 1e-9 for row in found if row["at"])


if __name__ == "__main__":
    main()
