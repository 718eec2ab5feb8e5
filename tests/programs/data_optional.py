# entry: f
# args: 0.45
# args: 2.5
# order: 2
# note: None or a record, at a join, in a loop, as a default
import math
from dataclasses import dataclass
from typing import Optional

@dataclass(frozen=True)
class Bound:
    low: float
    high: float

def clipped(x, bound=None):
    if bound is None:
        return x
    if x < bound.low:
        return bound.low * x
    if x > bound.high:
        return bound.high + math.log(x)
    return x * x

def f(x):
    best = None
    for i in range(3):
        if x * i > 1.0:
            best = Bound(x, x * i)
    return clipped(x) + clipped(x + 0.25, best) * clipped(x * x, Bound(x, 2.0))
