# Windows, and counts in two dimensions.

def bartlett(M):
    return _window(M, lambda x: 1.0 - abs(x))
def hanning(M):
    return _window(M, lambda x: 0.5 + 0.5 * cos(pi * x))
def hamming(M):
    return _window(M, lambda x: 0.54 + 0.46 * cos(pi * x))
def blackman(M):
    return _window(M, lambda x: 0.42 + 0.5 * cos(pi * x) + 0.08 * cos(2.0 * pi * x))
def kaiser(M, beta):
    return _window(M, lambda x: special_i0(beta * _root(1.0 - x * x)) / special_i0(beta))
# What a function gives for M places from -1 to 1.
def _window(M, f):
    M = constant(M, "the number of points")
    return ones((M,)) if M < 2 else f((2.0 * iota((M, 0)) + (1 - M)) / (M - 1))
def i0(x):
    return special_i0(x)
def histogram_bin_edges(a, bins=10, range=None):
    return histogram(a, bins, range)[1]
def histogram2d(x, y, bins=10, range=None, density=False, weights=None):
    x, y = _doubles(ravel(x)), _doubles(ravel(y))
    many = ndim(bins) == 0
    of_x, of_y = (bins, bins) if many else bins
    first = histogram_bin_edges(x, of_x, None if range is None else range[0])
    second = histogram_bin_edges(y, of_y, None if range is None else range[1])
    inside, other = _in_bins(x, first), _in_bins(y, second)
    other = other if weights is None else other * with_shape(array_of(weights), (len(x), 1))
    counts = transpose(as_type(inside, "float64")) @ (1.0 * other)
    if density:
        counts = counts / outer(diff(first), diff(second)) / sum(counts)
    return counts, first, second
def _in_bins(a, edges):
    n = len(edges) - 1
    each = with_shape(a, (size(a), 1))
    last = logical_and(iota((n, 0)) == n - 1, each == edges[n])
    return logical_and(each >= edges[:-1], logical_or(each < edges[1:], last))
