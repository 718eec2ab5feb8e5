# entry: f
# args: 1.5
# args: -0.5
# note: conditions say of what kind a value is: `is None`, `isinstance`, and what is made of them by `and`, `or`, `not`, `while`, `return`
from dataclasses import dataclass
from typing import Optional, Union


@dataclass(frozen=True)
class Leaf:
    value: float


@dataclass(frozen=True)
class Node:
    left: Union[Leaf, "Node"]
    right: Union[Leaf, "Node"]
    scale: float = 1.0


@dataclass(frozen=True)
class Cell:
    value: float
    rest: Optional["Cell"] = None


def total(t):
    if isinstance(t, Leaf):
        return t.value * t.value
    return t.scale * (total(t.left) + total(t.right))


def leftmost(t):
    while isinstance(t, Node) and not isinstance(t.left, Leaf):
        t = t.left
    return t.left.value if isinstance(t, Node) else t.value


def length(cells):
    n = 0
    while cells is not None:
        n = n + 1
        cells = cells.rest
    return n


def last_two(cells):
    if cells is None or cells.rest is None:
        return 0.0
    while cells.rest.rest is not None:
        cells = cells.rest
    return cells.value * cells.rest.value


def largest(xs):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return 0.0 if best is None else best


def smoothed(xs, rate):
    state = None
    for i in range(len(xs)):
        if not (state is not None):
            state = (xs[i], 1.0)
        else:
            value, weight = state
            state = (value + rate * (xs[i] - value), weight * (1.0 - rate))
    assert state is not None
    return state[0] / (1.0 + state[1])


def apply(x, callback=None, bound=None):
    y = x if callback is None else callback(x)
    known = bound is not None
    if known and y > bound:
        y = bound * y
    return y


def f(x):
    tree = Node(Node(Leaf(x), Leaf(2.0 * x), 0.5), Leaf(x * x))
    cells = Cell(x, Cell(x + 1.0, Cell(x * x * 3.0))) if x > 0.0 else Cell(x, Cell(2.0 * x))
    a = total(tree) + leftmost(tree) + length(cells) * last_two(cells)
    b = largest((x, x * x, 0.5)) * smoothed((x, 2.0 * x, x * x), 0.25)
    return a + b + apply(x, lambda t: t * t, 1.0) * apply(x) + apply(x, None, 0.25 * x)
