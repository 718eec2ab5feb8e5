# entry: f
# args: 0.7, 3
# wrt: 0
# note: itertools, and zip with strict
import itertools
import operator
from itertools import accumulate, chain, combinations, islice, pairwise, permutations, product


def f(x: float, n: int) -> float:
    xs = [x, 2.0, x * x]
    y = 0.0
    for a, b in combinations(xs, 2):
        y += a * b
    for p in permutations([x, 2], 2):
        y += p[0] - p[1] * x
    y += sum(len(p) for p in permutations(range(4), 2)) + len(list(itertools.combinations_with_replacement(xs, 2)))
    for i, v in product(range(2), (x, 1.0)):
        y += i * v**2
    y += len(list(product([0, 1], repeat=3)))
    y += sum(accumulate(xs)) + list(accumulate(xs, operator.mul))[-1] + max(accumulate([1, 2], initial=3))
    y += sum(chain(xs, (x,), range(2))) + sum(islice(xs, 2)) + sum(islice(xs, 1, None, 2))
    y += sum((b - a) ** 2 for a, b in pairwise(xs))
    for a, b in itertools.zip_longest(xs, [1.0, x], fillvalue=3.0):
        y += a * b
    y += sum(itertools.starmap(pow, [(x, 2), (2.0, 3)])) + sum(itertools.repeat(x, 3))
    return y + sum(a * b for a, b in zip(xs, [1, 2, n], strict=True))
