"""The top level of a module runs."""

from math import sqrt

ENTRIES = []
for i in range(4):
    ENTRIES.append(sqrt(i * i) + 1.0)
limit = 10.0


def total():
    return sum(ENTRIES)


def limited(x):
    return x * limit


def unsupported(x):
    with open(x) as f:
        return f.read()
