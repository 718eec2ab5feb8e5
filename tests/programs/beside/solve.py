"""A module whose function has its name, and which is imported by what it imports."""

import math

from . import tables
from .inner.deep import cubed, step


def solve(x):
    return step(x) + tables.total() * cubed(x)


def half(x):
    return 0.5 * x


def pow_of(x):
    return pow(x, 2)
