# entry: f
# args: 3
# args: 123456
# note: ints, places and permutations
import numpy as np


def f(seed):
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1, 2)))
    ints = rng.integers(10), rng.integers(0, 100, size=(2, 3)), rng.integers(-5, 5, 4, endpoint=True), rng.integers(0, 2**40, 3)
    wide = rng.integers(0, 2**32, 3), rng.integers(-(2**62), 2**62, 2), rng.integers(np.array([1, 10, 100]), 200), rng.integers(7, size=1)
    counts = rng.poisson(3.5, 4), rng.poisson(50.0, 4), rng.poisson(0.0), rng.binomial(10, 0.3, 4), rng.binomial(1000, 0.4, 4)
    more = rng.binomial(100, 0.8, 3), rng.binomial(20, np.array([0.0, 0.5, 1.0]))
    orders = rng.permutation(7), rng.permutation(np.arange(12.0).reshape(6, 2)), rng.permuted(np.arange(5))
    chosen = rng.choice(5, 3), rng.choice(5), rng.choice(np.array([1.5, 2.5, 3.5]), (2, 2), p=[0.2, 0.5, 0.3])
    distinct = rng.choice(10, 4, replace=False), rng.choice(10, (2, 2), replace=False, shuffle=False)
    by_chance = rng.choice(6, 3, replace=False, p=[0.1, 0.1, 0.2, 0.3, 0.2, 0.1]), rng.choice(20000, 3, replace=False)
    many = rng.choice(12000, 300, replace=False)[:5]
    x, z = np.arange(6.0), [1, 2, 3, 4]
    rng.shuffle(x)
    rng.shuffle(z)
    return ints, wide, counts, more, orders, chosen, distinct, by_chance, many, x, z, rng.random()
