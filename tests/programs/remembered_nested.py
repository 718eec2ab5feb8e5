# entry: f
# args: [0.3, 1.7, 1.1, 2.9], [1.2, 0.4, 2.3], 0.7
# note: exponential without what is remembered for pairs of ints that only the run knows
import functools


def f(xs, ys, gap):
    @functools.lru_cache(maxsize=None)
    def d(i, j=0):
        if i == 0:
            return j * gap
        if j == 0:
            return i * gap
        return min(d(i - 1, j) + gap, d(i, j=j - 1) + gap, d(i - 1, j - 1) + (xs[i - 1] - ys[j - 1]) ** 2)

    return d(len(xs), len(ys))
