# entry: f
# args: 1.5, 3
# args: -0.5, 4
# note: lists, dicts and arrays of a function that the functions inside of it write to, without `nonlocal`
import numpy as np
from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Tree:
    value: float
    left: Optional["Tree"] = None
    right: Optional["Tree"] = None


def leaves(tree):
    found = []

    def visit(node):
        if node is None:
            return
        if node.left is None and node.right is None:
            found.append(node.value)
        visit(node.left)
        visit(node.right)

    visit(tree)
    return found


def powers(x, n):
    known = np.zeros(6)
    known[0] = 1.0
    calls = [0]

    def power(k):
        calls[0] += 1
        if known[k] == 0.0:
            known[k] = x * power(k - 1)
        return known[k]

    total = 0.0
    for k in range(n, 0, -1):
        total += power(k)
    return total + calls[0] * x


def counts(x):
    sums = {"even": 0.0, "odd": 1.0}
    log = []

    def note(k, v):
        if k % 2 == 0:
            sums["even"] += v
        else:
            sums["odd"] *= v
        log.append((k, v))
        if len(log) > 3:
            log.pop()

    for k in range(5):
        note(k, x + k)
    return sums["even"] * sums["odd"] + sum(k * v for k, v in log)


def order(x, edges):
    """The nodes of a graph in topological order, each with a weight."""
    seen = [False] * len(edges)
    out = []

    def visit(u):
        if seen[u]:
            return
        seen[u] = True
        for v in edges[u]:
            visit(v)
        out.append(u * x)

    for u in range(len(edges)):
        visit(u)
    out.reverse()
    return out


def f(x, n):
    tree = Tree(x, Tree(2.0 * x), Tree(3.0, Tree(x * x), Tree(x, None, Tree(x * n))))
    a = sum(v * (i + 1) for i, v in enumerate(leaves(tree)))
    b = sum(v * v * i for i, v in enumerate(order(x, [(1, 2), (3,), (3,), ()])))
    return a + powers(x, n) + counts(x) + b
