# Grids, places of elements, and what is looked up between them.

def meshgrid(*xi, indexing="xy"):
    grids = ()
    rank = len(xi)
    sizes = ()
    for one in xi:
        sizes = sizes + (size(one),)
    swapped = indexing == "xy" and rank > 1
    for i, one in enumerate(xi):
        grid = broadcast(with_shape(array_of(one), _with((1,) * rank, i, sizes[i])), sizes)
        grids = grids + (swapaxes(grid, 0, 1) if swapped else grid,)
    return grids
def indices(dimensions):
    sizes = _shape(dimensions)
    grids = ()
    for i in _numbers(len(sizes)):
        grids = grids + (iota(sizes + (i,)),)
    return zeros((0,) + sizes, "int64") if len(sizes) == 0 else stack(grids)
def diag_indices(n, ndim=2):
    return (iota((n, 0)),) * ndim
# What is in the triangle comes first where what is not is sorted to the end.
def tril_indices(n, k=0, m=None):
    return _triangle_places(n, n if m is None else m, k, True)
def triu_indices(n, k=0, m=None):
    return _triangle_places(n, n if m is None else m, k, False)
def _triangle_places(n, m, k, lower):
    n = constant(n, "the number of rows")
    m = constant(m, "the number of columns")
    k = constant(k, "the number of a diagonal")
    count = 0
    for i in _numbers(n):
        end = _smaller(_larger(i + k + 1 if lower else i + k, 0), m)
        count = count + (end if lower else m - end)
    above = iota((n, m, 1)) - iota((n, m, 0))
    outside = above > k if lower else above < k
    places = _cut(order_of(ravel(as_type(outside, "int64"))), 0, 0, 1, count)
    return places // _larger(m, 1), places % _larger(m, 1)

def delete(arr, obj, axis=None):
    arr = array_of(arr)
    if axis is None:
        return delete(ravel(arr), obj, 0)
    axis = _axis(axis, ndim(arr))
    n = shape_of(arr)[axis]
    gone = ()
    for i in _integers(obj, "the places of what is deleted"):
        if i < -n or i >= n:
            return refuse(("index ", i, " is out of bounds for an axis of length ", n))
        gone = gone + (i + n if i < 0 else i,)
    kept = _others(n, gone)
    return _cut(arr, axis, 0, 1, 0) if len(kept) == 0 else take(arr, kept, axis)
def insert(arr, obj, values, axis=None):
    arr = array_of(arr)
    if axis is None:
        return insert(ravel(arr), obj, values, 0)
    axis = _axis(axis, ndim(arr))
    n = shape_of(arr)[axis]
    at = constant(obj, "the place of what is inserted")
    if is_tuple(at) or at < -n or at > n:
        return refuse(("index ", at, " is no place in an axis of length ", n))
    at = at + n if at < 0 else at
    values = array_of(values)
    sizes = shape_of(arr)
    if ndim(values) == ndim(arr):
        values = moveaxis(values, 0, axis)
        values = broadcast(values, _with(sizes, axis, shape_of(values)[axis]))
    else:
        values = with_shape(broadcast(values, sizes[:axis] + sizes[axis + 1:]), _with(sizes, axis, 1))
    values = as_type(values, dtype_of(arr))
    return concat((_cut(arr, axis, 0, 1, at), values, _cut(arr, axis, at, 1, n - at)), axis)

# How many elements come before: for each value by itself, so the time is the product of the lengths.
def searchsorted(a, v, side="left"):
    a = array_of(a)
    v = array_of(v)
    if ndim(a) != 1:
        return refuse(("values are searched in a vector, this is an array of shape ", shape_of(a)))
    if side != "left" and side != "right":
        return refuse(("`searchsorted` has no side ", side))
    each = with_shape(v, shape_of(v) + (1,))
    # NaN comes last.
    before = logical_or(a < each, logical_and(isnan(each), logical_not(isnan(a))))
    if side == "right":
        before = logical_or(logical_or(before, a == each), isnan(each))
    return sum(before, -1)
def isin(element, test_elements, *, invert=False):
    element = array_of(element)
    found = any(with_shape(element, shape_of(element) + (1,)) == ravel(test_elements), -1)
    return logical_not(found) if constant(invert, "`invert`") else found
def digitize(x, bins, right=False):
    bins = array_of(bins)
    side = "left" if right else "right"
    if len(bins) < 2:
        return searchsorted(bins, x, side)
    falls = bins[0] > bins[-1]
    up = searchsorted(select(falls, flip(bins), bins), x, side)
    return select(falls, len(bins) - up, up)
def interp(x, xp, fp, left=None, right=None, period=None):
    x = as_type(array_of(x), "float64")
    xp = as_type(array_of(xp), "float64")
    fp = as_type(array_of(fp), "float64")
    if ndim(xp) != 1 or shape_of(xp) != shape_of(fp) or len(xp) == 0:
        return refuse(("points of shape ", shape_of(xp), " with values of shape ", shape_of(fp)))
    if period is not None:
        order = argsort(xp % period)
        sorted_ = (xp % period)[order]
        values = fp[order]
        xp = concat((sorted_[-1:] - period, sorted_, sorted_[:1] + period), 0)
        fp = concat((values[-1:], values, values[:1]), 0)
        x = x % period
    n = len(xp)
    if n == 1:
        between = fp[0] + 0.0 * x
    else:
        i = clip(searchsorted(xp, x, "right") - 1, 0, n - 2)
        slope = (fp[i + 1] - fp[i]) / (xp[i + 1] - xp[i])
        between = select(x >= xp[n - 1], fp[n - 1], slope * (x - xp[i]) + fp[i])
    if period is not None:
        return between
    found = select(x < xp[0], fp[0] if left is None else left, between)
    return select(x > xp[n - 1], fp[n - 1] if right is None else right, found)
def _select(condlist, choicelist, default=0):
    chosen = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist)):
        chosen = where(condition, choice, chosen)
    return chosen
# Of equal steps; what is in the last one includes its end.
def histogram(a, bins=10, range=None, density=False, weights=None):
    a = _floats(ravel(a))
    if ndim(bins) > 0:
        edges = array_of(bins)
    else:
        low = min(a) if range is None else range[0]
        high = max(a) if range is None else range[1]
        level = low == high
        edges = linspace(select(level, low - 0.5, low * 1.0), select(level, high + 0.5, high * 1.0), bins + 1)
        edges = _narrow_like(a, edges) if range is None else edges
    inside = _in_bins(a, edges)
    if weights is None:
        counts = sum(inside, 0)
    else:
        weights = array_of(weights)
        counts = sum(select(inside, with_shape(weights, (size(a), 1)), as_type(0, dtype_of(weights))), 0)
    if density:
        return counts / diff(edges) / sum(counts), edges
    return counts, edges
def bincount(x, weights=None, minlength=0):
    return refuse("how many numbers `bincount` counts only the run knows; write `np.sum(x[:, None] == np.arange(n), axis=0)`")
