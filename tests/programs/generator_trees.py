# entry: f
# args: 2.5
# args: 0.6
# order: 2
# note: generators that call themselves, methods that are generators, `__iter__` that is one
from dataclasses import dataclass
from typing import Optional


@dataclass
class Node:
    v: float
    left: Optional["Node"] = None
    right: Optional["Node"] = None


def walk(t):
    if t is not None:
        yield from walk(t.left)
        yield t.v
        yield from walk(t.right)


def again(t):
    if t is None:
        return
    for v in again(t.left):
        yield v
    yield t.v
    for v in again(t.right):
        yield 2.0 * v


class Tree:
    def __init__(self, v, kids):
        self.v = v
        self.kids = kids

    def leaves(self):
        if len(self.kids) == 0:
            yield self.v
        for k in self.kids:
            yield from k.leaves()


class Line:
    def __init__(self, a, n):
        self.a = a
        self.n = n

    def __iter__(self):
        for i in range(self.n):
            yield self.a * i

    def powers(self, k):
        for i in range(self.n):
            yield i, self.a**k


def f(x):
    tree = Node(x, Node(2.0 * x, None, Node(x * x)), Node(3.0))
    s, k = 0.0, 1.0
    for v in walk(tree):
        s += v * k
        k += 1.0
    s += sum(again(tree)) * max(walk(tree))
    for v in Tree(x, [Tree(x * x, []), Tree(3.0 * x, [])]).leaves():
        s += v**3
    line = Line(x, 4)
    for v in line:
        s += v * v
    for i, p in line.powers(2):
        s += i * p
    return s + sum(line) + len(list(line)) + max(line) + (1.0 if x in line else 0.0)
