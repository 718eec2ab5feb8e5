# `copy`, `statistics` and `bisect`.

# What cannot change is what it was.
def _shallow_copy(x):
    if defines(x, "__copy__"):
        return x.__copy__()
    if is_array(x) or isinstance(x, dict) or is_tuple(x) or defines(x, "__append__"):
        return _copy_method(x)
    return x if _is_unchanging(x) else refuse("a copy of this is not supported")
def _deep_copy(x):
    if defines(x, "__deepcopy__"):
        return x.__deepcopy__({})
    if is_array(x):
        return copy(x)
    if _is_object(x):
        return refuse("a deep copy of objects in an object is not supported, which may be one")
    if isinstance(x, dict):
        return {k: _deep_copy(v) for k, v in x.items()}
    if isinstance(x, list):
        return [_deep_copy(v) for v in x]
    if is_tuple(x):
        return tuple([_deep_copy(v) for v in x])
    return x if _is_unchanging(x) else refuse("a deep copy of this is not supported")
def _is_unchanging(x):
    return x is None or isinstance(x, (int, float, complex, str))

# CPython rounds once, of the exact sum.
def statistics_fmean(data, weights=None):
    xs = _data(data, 1)
    if weights is None:
        return math_fsum(xs) / len(xs)
    return math_fsum([x * w for x, w in zip(xs, weights)]) / math_fsum(weights)
def statistics_mean(data):
    return math_fsum(_real_data(data, 1)) / len(data)
def statistics_median(data):
    xs = builtins_sorted(_data(data, 1))
    n = len(xs)
    return xs[n // 2] if n % 2 == 1 else (xs[n // 2 - 1] + xs[n // 2]) / 2
def statistics_median_low(data):
    xs = builtins_sorted(_data(data, 1))
    return xs[(len(xs) - 1) // 2]
def statistics_median_high(data):
    xs = builtins_sorted(_data(data, 1))
    return xs[len(xs) // 2]
def statistics_harmonic_mean(data, weights=None):
    xs = _data(data, 1)
    weights = [1.0] * len(xs) if weights is None else weights
    return math_fsum(weights) / math_fsum([w / x for x, w in zip(xs, weights)])
def statistics_geometric_mean(data):
    xs = _data(data, 1)
    return exp(math_fsum([log(float(x)) for x in xs]) / len(xs))
def statistics_covariance(x, y):
    a, b = statistics_fmean(x), statistics_fmean(y)
    return math_fsum([(p - a) * (q - b) for p, q in zip(x, y)]) / (len(_data(x, 2)) - 1)
def statistics_correlation(x, y):
    a, b = statistics_fmean(_data(x, 2)), statistics_fmean(y)
    both = math_fsum([(p - a) * (q - b) for p, q in zip(x, y)])
    return both / sqrt(math_fsum([(p - a) * (p - a) for p in x]) * math_fsum([(q - b) * (q - b) for q in y]))
def statistics_linear_regression(x, y):
    a, b = statistics_fmean(_data(x, 2)), statistics_fmean(y)
    slope = math_fsum([(p - a) * (q - b) for p, q in zip(x, y)]) / math_fsum([(p - a) * (p - a) for p in x])
    return _LinearRegression(slope, b - slope * a)
@dataclass(frozen=True)
class _LinearRegression:
    slope: float
    intercept: float
    def __iter__(self):
        return iter((self.slope, self.intercept))
def statistics_quantiles(data, *, n=4, method="exclusive"):
    xs = builtins_sorted(_data(data, 2))
    count = len(xs) + (1 if method == "exclusive" else -1)
    return [_quantile_between(xs, i * count, n, method) for i in range(1, n)]
def _quantile_between(xs, at, n, method):
    last = len(xs) - 1
    j = at // n - (1 if method == "exclusive" else 0)
    j = 0 if j < 0 else last - 1 if j > last - 1 else j
    rest = at - (j + (1 if method == "exclusive" else 0)) * n
    return (xs[j] * (n - rest) + xs[j + 1] * rest) / n
def statistics_mode(data):
    xs = _data(data, 1)
    best, most = xs[0], 0
    for x in xs:
        count = _list_count(xs, x)
        if count > most:
            best, most = x, count
    return best
def statistics_variance(data, xbar=None):
    return _squares_around(_real_data(data, 2), xbar) / (len(data) - 1)
def statistics_pvariance(data, mu=None):
    return _squares_around(_real_data(data, 1), mu) / len(data)
def statistics_stdev(data, xbar=None):
    return _root(_squares_around(_data(data, 2), xbar) / (len(data) - 1))
def statistics_pstdev(data, mu=None):
    return _root(_squares_around(_data(data, 1), mu) / len(data))
def _squares_around(xs, center):
    c = math_fsum(xs) / len(xs) if center is None else center
    return math_fsum([(x - c) * (x - c) for x in xs])
def _data(data, least):
    if len(data) < least:
        raise ValueError("too few values")
    return data
# Of ints alone, CPython gives an int where that is exact.
def _real_data(data, least):
    for x in data:
        if isinstance(x, int):
            return refuse("of ints this may be an int: write floats, or `fmean`")
    return _data(data, least)

def bisect_bisect_left(a, x, lo=0, hi=None, *, key=None):
    lo, hi = varying(lo), varying(len(a) if hi is None else hi)
    while lo < hi:
        middle = (lo + hi) // 2
        if (a[middle] if key is None else key(a[middle])) < x:
            lo = middle + 1
        else:
            hi = middle
    return lo
def bisect_bisect_right(a, x, lo=0, hi=None, *, key=None):
    lo, hi = varying(lo), varying(len(a) if hi is None else hi)
    while lo < hi:
        middle = (lo + hi) // 2
        if x < (a[middle] if key is None else key(a[middle])):
            hi = middle
        else:
            lo = middle + 1
    return lo
