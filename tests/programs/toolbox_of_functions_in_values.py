# entry: f
# args: 0.7
# order: 2
# by-hand
# closed: [5 + 2*x + cos(x)]
# note: Jacobians and `forwarddiff` where arguments or results hold functions, which have `None` for a derivative
import math
from dataclasses import dataclass
from typing import Callable
from gradus import forwarddiff, hessian, jacfwd, jacrev


@dataclass(frozen=True)
class Pair:
    y: float
    f: Callable


def held(p):
    return p.f(p.y)


def f(x):
    pair = Pair(x, lambda q: q * q)
    given = jacfwd(held)(pair).y + jacrev(held)(pair).y
    made = jacfwd(lambda a: Pair(a * a, math.sin))(x)
    assert made.f is None
    second = hessian(held)(pair).y.y
    return 0.5 * given + second * x + made.y * 0.5 + x * x + forwarddiff(lambda t: t[1](t[0]), (x, math.sin))
