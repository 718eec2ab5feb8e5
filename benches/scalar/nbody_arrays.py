import math
import numpy as np


def f(x, n):
    bodies = len(x) // 6
    p = x[: 3 * bodies].copy()
    v = x[3 * bodies :].copy()
    dt = 0.01
    for step in range(n):
        for i in range(bodies):
            for j in range(i + 1, bodies):
                dx = p[3 * i] - p[3 * j]
                dy = p[3 * i + 1] - p[3 * j + 1]
                dz = p[3 * i + 2] - p[3 * j + 2]
                r2 = dx * dx + dy * dy + dz * dz + 0.01
                w = dt / (r2 * math.sqrt(r2))
                v[3 * i] -= dx * w
                v[3 * i + 1] -= dy * w
                v[3 * i + 2] -= dz * w
                v[3 * j] += dx * w
                v[3 * j + 1] += dy * w
                v[3 * j + 2] += dz * w
        for i in range(3 * bodies):
            p[i] += dt * v[i]
    s = 0.0
    for i in range(3 * bodies):
        s += p[i] * p[i]
    return s
