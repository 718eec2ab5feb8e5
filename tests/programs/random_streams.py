# entry: f
# args: 2.0, 3
# note: streams that are spawned, in a list, and one of two that the run chooses
import numpy as np
from numpy.random import default_rng


def f(x, n):
    rngs = [default_rng(s) for s in np.random.SeedSequence(42).spawn(3)]
    total = 0.0
    for rng in rngs:
        total = total + x * rng.normal()
    chosen = rngs[0] if n > 2 else rngs[1]
    while n > 0:
        total = total + x * x * chosen.random()
        n = n - 1
    child = rngs[2].spawn(2)[1]
    return total + rngs[0].normal() * x + child.random()
