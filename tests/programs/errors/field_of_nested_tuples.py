# entry: f
# args: 0.5
# exit: 2
# message: this tuple is nested more than 200 deep
# line: 19


from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class Tree:
    key: float
    left: Optional["Tree"] = None


def insert(t, key):
    return Tree(key) if t is None else Tree(t.key, (t.left, key))


def f(x):
    t = None
    for i in range(6):
        t = insert(t, x * i)
    return t.key
