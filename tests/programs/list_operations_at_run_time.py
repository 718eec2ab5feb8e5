# entry: f
# args: 0.5, 5
# args: -1.5, 4
# wrt: 0
# note: what Python does with sequences, on lists whose length only the run knows
from functools import reduce


def f(x, n):
    xs = [x * i for i in range(n)]
    ys = [t * t + 1.0 for t in xs if t != x] + [x] + [2.0] * (n - 3)
    t = 0.0
    for i, (a, b) in enumerate(zip(xs, reversed(ys))):
        t += a * b * i
    a, b, *rest = ys
    t += a * b + sum(rest) * len(rest)
    t += sum(xs[1:]) * sum(ys[:-2]) + xs[-2:][0] + ys[::-2][1] + sum(ys[n:0:-1])
    t += 10.0 if xs == xs[:] and xs != ys else x
    t += 100.0 * x if x in ys and -7.0 not in xs else 0.0
    squares = list(map(lambda v: v * v, filter(lambda v: v > 0.25, ys)))
    t += reduce(lambda u, v: u * 0.5 + v, squares, x)
    if any(v > 1.5 for v in squares) and not all(v > 1.5 for v in xs):
        t += x * x * x
    numbers = [i for i in range(n)]
    numbers.extend(xs)
    one, *others = 2 * numbers
    return t + one + others[n] * sum(others)
