# entry: f
# args: 0.7
# args: 6.0
# note: the first element, and those before or after one that the run finds
import itertools


def f(x: float) -> float:
    xs = [x, 2.0, x * x]
    y = next(iter(xs)) * next(v for v in xs if v > 1.5) + next((v for v in xs if v > 100.0), x**3) + next(iter([]), x)
    for v in itertools.takewhile(lambda v: v < 5.0, xs):
        y += v * x
    return y + sum(itertools.dropwhile(lambda v: v < 1.0, [x, x * x]))
