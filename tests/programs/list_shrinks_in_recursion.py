# entry: f
# args: {"t": "list", "v": [2.0, 4.0, 0.5]}, 1
# note: the argument of a derivative is a list of known length, which the recursion hands on with any length
from gradus import grad


def first(xs, depth):
    if depth > 2:
        return xs[0] ** 3
    kept = [xs[0]]
    for x in xs:
        if x < 3.0:
            kept.append(x * xs[0])
    return first(kept, depth + 1)


def f(xs, depth):
    slopes = grad(first)(xs, depth)
    return first(xs, depth) + slopes[0] * xs[1]
