# entry: f
# args: 1.55, 3
# args: -0.77, 4
# wrt: 0
# note: where a value may be a list whose length only the run knows, or None: a variable, and the field of a class, of values and tangents

from dataclasses import dataclass
from typing import Optional

from gradus import hvp, jvp


@dataclass
class Chain:
    w: float
    xs: Optional[list]
    next: Optional["Chain"] = None


def scaled(w, n):
    xs = []
    for i in range(int(abs(w) * n) + 1):
        xs.append(w * i)
    return xs


def build(w, n):
    chain = None
    for i in range(int(abs(w) * n)):
        chain = Chain(w + i, scaled(w, i), chain)
    return chain


def energy(chain):
    s = 0.0
    while chain is not None:
        s = s + chain.w ** 3
        if chain.xs is not None:
            for x in chain.xs:
                s = s + x ** 3
        chain = chain.next
    return s


def maybe(w, n):
    xs = scaled(w, n) if w > 0.0 else None
    return 0.5 * w if xs is None else sum(xs)


def f(w, n):
    chain = build(w, n)
    second = hvp(energy, chain, Chain(1.0, None, None))
    first = jvp(energy, (chain,), (Chain(None, chain.xs, None),))[1]
    return energy(chain) + second.w * second.w + first + maybe(w, n)
