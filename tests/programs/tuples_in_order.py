# entry: f
# args: 0.7, 1.9
# order: 1
# note: the order of tuples: in `sorted`, `max` and `min`
def f(x, y):
    pairs = [(2.0, x), (x * y, y), (2.0, y), (x, 1.0)]
    ordered = sorted(pairs, reverse=True)
    by = sorted(pairs, key=lambda p: (p[1] > 1.0, p[0]))
    low, high = min(pairs), max((y, x), (y, x * 2.0), *pairs)
    return sum((i + 1) * a * b for i, (a, b) in enumerate(ordered)) + by[0][0] * by[3][1] + low[0] * high[1]
