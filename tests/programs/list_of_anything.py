# entry: f
# args: 0.5, 4
# args: 1.5, 3
# wrt: 0
# note: lists of functions, lists, tuples, records, arrays and None, whose length only the run knows
from dataclasses import dataclass
from typing import Optional
import numpy as np


@dataclass(frozen=True)
class Point:
    x: float
    y: float


@dataclass(frozen=True)
class Layers:
    all: list
    scale: float


def f(x, n):
    functions, rows, points, vectors, choices = [], [], [], [], []
    v = np.array([x, 2.0 * x])
    for i in range(n):
        functions.append(lambda t, k=i: t * x + 1.0 if k == 0 else t * t * 0.5)
        rows.append([x * j for j in range(i)])
        points.append(Point(x * i, x + i))
        vectors.append(v * i)
        choices.append(None if i % 2 == 0 else x * i)
        v = v * v + x
    layers = Layers(functions, x)
    t = layers.scale
    for g in layers.all:
        t = g(t)
    for row, p in zip(rows, points):
        for e in row:
            t += e * e
        t += p.x * p.y
    for w in vectors:
        t += w @ w
    for c in choices:
        if c is not None:
            t += c * c
    return t
