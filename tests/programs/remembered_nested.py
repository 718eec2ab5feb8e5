# entry: f
# args: [0.3, 1.7, 1.1, 2.9], [1.2, 0.4, 2.3], 0.7
# note: exponential without what is remembered, for ints that only the run knows, bools, strings and tuples of them
import functools


def f(xs, ys, gap):
    @functools.lru_cache(maxsize=None)
    def d(i, j=0):
        if i == 0:
            return j * gap
        if j == 0:
            return i * gap
        return min(d(i - 1, j) + gap, d(i, j=j - 1) + gap, d(i - 1, j - 1) + (xs[i - 1] - ys[j - 1]) ** 2)

    @functools.cache
    def state(pair, up, name):
        i, j = pair
        if i == 0 or j == 0:
            return gap if up else 1.0
        kept = 0.5 * state((i - 1, j), not up, "left") + 0.25 * state((i, j - 1), up, name)
        return kept if name == "left" else kept + 0.125

    return d(len(xs), len(ys)) + state((20, 20), True, "down")
