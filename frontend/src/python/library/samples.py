# scipy.stats: what is said of samples.

def _flat_axis(a, axis):
    a = _floats(a)
    return (ravel(a), 0) if axis is None else (a, _axis(axis, ndim(a)))
def _central_moment(a, k, axis, keepdims=False):
    d = a - mean(a, axis, keepdims=True)
    return mean(d ** k, axis, keepdims=keepdims)
def stats_moment(a, order=1, axis=0):
    a, axis = _flat_axis(a, axis)
    order = constant(order, "the order of a moment")
    return _central_moment(a, order, axis) if order != 1 else 0.0 * mean(a, axis)
def stats_skew(a, axis=0, bias=True):
    a, axis = _flat_axis(a, axis)
    n = shape_of(a)[axis]
    g = _central_moment(a, 3, axis) / _central_moment(a, 2, axis) ** 1.5
    return _narrow_like(a, g if bias else g * (n * (n - 1.0)) ** 0.5 / (n - 2.0))
def stats_kurtosis(a, axis=0, fisher=True, bias=True):
    a, axis = _flat_axis(a, axis)
    n = shape_of(a)[axis]
    k = _central_moment(a, 4, axis) / _central_moment(a, 2, axis) ** 2
    k = k if bias else ((n * n - 1.0) * k - 3.0 * (n - 1.0) ** 2) / ((n - 2.0) * (n - 3.0)) + 3.0
    return _narrow_like(a, k - 3.0 if fisher else k)
def stats_zscore(a, axis=0, ddof=0):
    return stats_zmap(a, a, axis, ddof)
def stats_zmap(scores, compare, axis=0, ddof=0):
    scores, compare = _floats(scores), _floats(compare)
    return (scores - mean(compare, axis, keepdims=True)) / std(compare, axis, ddof=ddof, keepdims=True)
def stats_sem(a, axis=0, ddof=1):
    a, axis = _flat_axis(a, axis)
    return std(a, axis, ddof=ddof) / shape_of(a)[axis] ** 0.5
def stats_variation(a, axis=0, ddof=0):
    a, axis = _flat_axis(a, axis)
    return std(a, axis, ddof=ddof) / mean(a, axis)
def stats_gmean(a, axis=0, weights=None):
    return exp(average(log(_floats(a)), axis, weights))
def stats_hmean(a, axis=0, *, weights=None):
    return 1.0 / average(1.0 / _floats(a), axis, weights)
def stats_pmean(a, p, *, axis=0, weights=None):
    return average(power(_floats(a), p), axis, weights) ** (1.0 / p)
def stats_gstd(a, axis=0, ddof=1):
    return exp(std(log(_floats(a)), axis, ddof=ddof))
def stats_iqr(x, axis=None):
    return _narrow_like(x, quantile(x, 0.75, axis) - quantile(x, 0.25, axis))
def stats_median_abs_deviation(x, axis=0, *, scale=1.0):
    scale = 0.6744897501960817 if scale == "normal" else scale
    return _narrow_like(x, median(abs(_floats(x) - median(x, axis, keepdims=True)), axis) / scale)
def stats_trim_mean(a, proportiontocut, axis=0):
    a, axis = _flat_axis(a, axis)
    n = shape_of(a)[axis]
    cut = int(constant(proportiontocut, "the part that is cut") * n)
    return mean(_cut(sort(a, axis), axis, cut, 1, n - 2 * cut), axis)
def stats_entropy(pk, qk=None, base=None, axis=0):
    pk = _floats(pk)
    pk = pk / sum(pk, axis, keepdims=True)
    if qk is None:
        total = sum(special_entr(pk), axis)
    else:
        qk = _floats(qk)
        total = sum(special_rel_entr(pk, qk / sum(qk, axis, keepdims=True)), axis)
    return total if base is None else _narrow_like(pk, total / log(base))
# The mean place among the sorted ones.
def stats_rankdata(a, method="average", *, axis=None):
    if axis is None:
        return _ranks(ravel(a), method)
    a = array_of(a)
    return moveaxis(_ranks(moveaxis(a, axis, -1), method), -1, axis)
def _ranks(a, method):
    each, others = expand_dims(a, -1), expand_dims(a, -2)
    below = sum(others < each, -1)
    same = sum(others == each, -1)
    n = shape_of(a)[-1]
    if method == "average":
        return below + 0.5 * (same + 1)
    if method == "min":
        return below + 1
    if method == "max":
        return below + same
    if method == "ordinal":
        return below + sum(logical_and(others == each, iota((n, n, 1)) <= iota((n, n, 0))), -1)
    first = logical_not(any(logical_and(others == each, iota((n, n, 1)) < iota((n, n, 0))), -1))
    if method == "dense":
        return sum(logical_and(others < each, expand_dims(first, -2)), -1) + 1
    return refuse(("`rankdata` has no method ", method))
def stats_boxcox_llf(lmb, data):
    data = _floats(data)
    n = shape_of(data)[0]
    logs = log(data)
    spread = log(var(logs, 0)) if lmb == 0 else log(var(special_boxcox(data, lmb), 0))
    return _narrow_like(data, (lmb - 1.0) * sum(logs, 0) - 0.5 * n * spread)
# The correlation, and two sides of what is beyond it where there is none.
def stats_pearsonr(x, y):
    x, y = _floats(x), _floats(y)
    a, b = x - mean(x), y - mean(y)
    r = sum(a * b) / sqrt(sum(a * a) * sum(b * b))
    half = len(x) / 2.0 - 1.0
    return _all_narrow_like(a, (r, 2.0 * special_betainc(half, half, 0.5 * (1.0 - abs(r)))))
def stats_spearmanr(a, b):
    return stats_pearsonr(stats_rankdata(a), stats_rankdata(b))
@dataclass(frozen=True)
class _LinregressResult:
    slope: float
    intercept: float
    rvalue: float
    pvalue: float
    stderr: float
    intercept_stderr: float
    def __iter__(self):
        return iter((self.slope, self.intercept, self.rvalue, self.pvalue, self.stderr))
    def __getitem__(self, index):
        return (self.slope, self.intercept, self.rvalue, self.pvalue, self.stderr)[index]
def stats_linregress(x, y):
    x, y = _floats(x), _floats(y)
    n = len(x)
    a, b = x - mean(x), y - mean(y)
    xx, xy, yy = mean(a * a), mean(a * b), mean(b * b)
    r = clip(xy / sqrt(xx * yy), -1.0, 1.0)
    slope = xy / xx
    df = n - 2.0
    t = r * sqrt(df / ((1.0 - r) * (1.0 + r)))
    error = sqrt((1.0 - r * r) * yy / xx / df)
    p = 2.0 * stats_t_sf(abs(t), df)
    return _LinregressResult(slope, mean(y) - slope * mean(x), r, p, error, error * sqrt(xx + mean(x) ** 2))
