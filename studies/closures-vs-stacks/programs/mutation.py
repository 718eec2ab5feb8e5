"""Lists, arrays, objects and variables that change."""
import math
import numpy as np


def appended(x, n):
    values = []
    for i in range(n):
        values.append(x * i)
    total = 0.0
    for v in values:
        total = total + math.sin(v)
    return total


def filled(x, n):
    a = np.zeros(n)
    for i in range(n):
        a[i] = math.sin(x * i)
    return np.sum(a * a)


def prefix(x, n):
    a = np.ones(n) * x
    for i in range(1, n):
        a[i] = a[i - 1] * 0.9 + a[i] * a[i] * 0.1
    return a[n - 1]


def cell(x, n):
    t = 0.0

    def add(v):
        nonlocal t
        t = t * 0.5 + v

    for i in range(n):
        add(x * i)
    return t


def moved(x, n):
    p = [x, 0.0]
    for i in range(n):
        p[1] = p[1] - 0.01 * p[0]
        p[0] = p[0] + 0.01 * p[1]
    return p[0] * p[1]


def counted(x, n):
    d = {"even": 0.0, "odd": 1.0}
    for i in range(n):
        if i % 2 == 0:
            d["even"] = d["even"] + x * d["odd"] * 0.01
        else:
            d["odd"] = d["odd"] + x * d["even"] * 0.01
    return d["even"] + d["odd"]


def dynamic(x, n):
    best = [0.0] * (n + 1)
    best[0] = x
    for i in range(1, n + 1):
        best[i] = math.sin(best[i - 1]) + 0.5 * best[i // 2]
    return best[n]


def sieve(x, n):
    u = np.linspace(0.0, 1.0, n) * x
    for k in range(5):
        for i in range(1, n - 1):
            u[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1]
    return np.sum(u * u)
