# entry: f
# args: 0.7, 3
# args: -1.3, 2
# order: 2
# wrt: 0
# note: ints, tuples and computed strings for keys of dicts; the gradient with respect to such a dict
from gradus import grad


def energy(p):
    return p[0] ** 2 * p[1] + p[(0, 1)] ** 3


def f(x: float, n: int) -> float:
    p = {0: x, 1: x * x, (0, 1): 2.0 * x}
    g = grad(energy)(p)
    total = g[0] * x + g[1] + g[(0, 1)]
    grid = {}
    for i in range(2):
        for j in range(3):
            grid[i, j] = x * i + j
    total += sum(v for v in grid.values()) * grid[1, 2]
    for (i, j), v in grid.items():
        total += i * v * x - j
    counts = {k: k * x for k in range(1, 4)}
    counts[2] += x**3
    del counts[1]
    total += counts.get(2) * counts.get(7, x) + (x if 3 in counts and "3" not in counts and 1 not in counts else 0.0)
    return total + len({"1": x, 1: x, **{"1": 2.0}})
