# entry: f
# args: 0.5, 4
# args: 1.25, 7
# wrt: 0
# order: 2
# note: a linked list built by a loop and by recursion: sum, map, reverse
import math
from dataclasses import dataclass
from typing import Optional

@dataclass(frozen=True)
class Cell:
    head: float
    tail: Optional["Cell"] = None

def build(x, n):
    cells = None
    for i in range(n):
        cells = Cell(x * i + 1.0, cells)
    return cells

def powers(x, n):
    if n == 0:
        return None
    return Cell(x**n, powers(x, n - 1))

def mapped(f, cells):
    return None if cells is None else Cell(f(cells.head), mapped(f, cells.tail))

def reverse(cells):
    result = None
    while cells is not None:
        result = Cell(cells.head, result)
        cells = cells.tail
    return result

def total(cells, x):
    s = 0.0
    while cells is not None:
        s = s * x + cells.head
        cells = cells.tail
    return s

def product(cells):
    if cells is None:
        return 1.0
    return cells.head * product(cells.tail)

def f(x, n):
    a = mapped(lambda v: v * x + math.sin(v), build(x, n))
    b = reverse(mapped(math.exp, powers(x, n)))
    return total(a, x) + total(reverse(b), x) * 0.1 + product(build(x, 3))
