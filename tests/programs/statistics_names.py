# entry: f
# args: 1.3, 5
# args: -0.4, 2
# note: `statistics` of lists whose length is known, and of those whose length the run decides; `bisect`
import bisect
import statistics


def spread(xs):
    return statistics.stdev(xs) * statistics.pstdev(xs) + statistics.variance(xs) - 3.0 * statistics.pvariance(xs)


def f(x, n):
    xs = [x, 2.0, x * x, 5.0]
    ys = []
    for i in range(n):
        ys.append(x * i + 1.0)
    middle = statistics.median(xs) * statistics.median(xs[:3])
    at = bisect.bisect_left(xs[1:2] + [5.0], x) + 2 * bisect.bisect(ys, 1.0) + bisect.bisect_right([0.0, x], 9.0)
    return statistics.mean(xs) * statistics.fmean(ys) + middle + spread(xs) + spread(ys) + at * statistics.pvariance(ys, 2.0)
