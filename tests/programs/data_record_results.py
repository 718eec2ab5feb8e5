# entry: moved
# args: 2.0, 3
# note: a record as a result
from typing import NamedTuple

class Point(NamedTuple):
    x: float
    y: float = 1.0
    n: int = 2

def moved(x, n):
    p = Point(x)
    q = Point(n=n, x=p.y * x, y=p[0])
    a, b, c = q
    return {"p": p, "q": q, "sum": a + b + c}
