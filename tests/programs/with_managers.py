# entry: f
# args: 0.8
# order: 2
# note: `with`: what managers give and do at the end, on each way out; one that keeps what was raised; those of libraries
import contextlib

import numpy as np


class Scaled:
    def __init__(self, by, keeps):
        self.by = by
        self.keeps = keeps

    def __enter__(self):
        return self.by * 2.0

    def __exit__(self, kind, value, trace):
        return self.keeps


def refuse(x):
    if x < 1.0:
        raise ValueError("small")
    return x


def kept(x, keeps):
    r = x
    try:
        with Scaled(x, keeps) as by, Scaled(by, False) as more:
            r = r * by
            r = r * refuse(more)
            r = r * 10.0
        r = r + 1.0
    except ValueError:
        r = r * 3.0
    return r


def early(x):
    for k in range(3):
        with Scaled(x * k, False) as by:
            if k == 1:
                continue
            if k == 2:
                return by * x
    return 0.0


def f(x):
    r = kept(x, True) * kept(x / 4.0, True) + kept(x / 4.0, False) + early(x)
    with contextlib.suppress(ValueError, KeyError):
        r = r + refuse(x)
    with np.errstate(divide="ignore", invalid="ignore"), contextlib.nullcontext(x) as y:
        r = r + np.where(np.array([x, 0.0]) > 0.0, np.log(np.array([x, 1.0])), 0.0)[0] * y
    return r
