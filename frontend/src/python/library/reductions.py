# Reductions, sums along an axis, and order.

def _reduced(sizes, axes):
    for axis in axes:
        sizes = _with(sizes, axis, 1)
    return sizes
# What was reduced to axes of length 1, with these or without.
def _kept(reduced, axes, keepdims):
    if constant(keepdims, "`keepdims`"):
        return reduced
    sizes = shape_of(reduced)
    return with_shape(reduced, _picked(sizes, _others(len(sizes), axes)))
def _summable(a, dtype):
    a = array(a, dtype)
    return as_type(a, "int64") if dtype_of(a) == "bool" else a
# The elements that a mask picks, which `x[mask]` is as the argument of a reduction, among others that count for nothing.
def _filled(a, nothing):
    mask = mask_of(a)
    if mask is None:
        return a
    a = values_of(a)
    return ravel(as_type(where(mask, a, nothing), dtype_of(a)))
def _count(a, axis):
    mask = mask_of(a)
    if mask is None:
        return _product(_picked(shape_of(a), _axes(axis, ndim(a))))
    return sum(mask)
def _floats(a):
    a = array_of(a)
    return a if _is_float(a) else as_type(a, "float64")
# The array with these axes as one, which comes first.
def _in_front(a, axes):
    rest = _others(ndim(a), axes)
    sizes = shape_of(a)
    return with_shape(_permuted(a, axes + rest), (_product(_picked(sizes, axes)),) + _picked(sizes, rest))

def sum(a, axis=None, dtype=None, *, keepdims=False, where=None):
    a = _summable(_filled(a, 0), dtype)
    if where is not None:
        a = select(broadcast_to(where, shape_of(a)), a, _typed(0, dtype_of(a)))
    axes = _axes(axis, ndim(a))
    if len(axes) == 0:
        return a
    return _kept(sum_to(a, _reduced(shape_of(a), axes)), axes, keepdims)
def mean(a, axis=None, *, keepdims=False):
    n = _count(a, axis)
    a = _floats(_filled(a, 0))
    return _narrow_like(a, sum(a, axis, keepdims=keepdims) / n)
def var(a, axis=None, *, ddof=0, keepdims=False):
    a = _floats(a)
    d = a - mean(a, axis, keepdims=True)
    n = _product(_picked(shape_of(a), _axes(axis, ndim(a))))
    return _narrow_like(a, sum(_square_of_size(d), axis, keepdims=keepdims) / maximum(n - ddof, 0))
def _square_of_size(x):
    return x.real * x.real + x.imag * x.imag if isinstance(x, complex) else x * x
# The root of a sum of squares. Where all are zero it has a kink, as `abs` has, and its derivative is zero.
def _root(total):
    none = total == 0.0
    return select(none, 0.0, sqrt(select(none, 1.0, total)))
def std(a, axis=None, *, ddof=0, keepdims=False):
    return _narrow_like(a, _root(var(a, axis, ddof=ddof, keepdims=keepdims)))
# By halves, so that the derivative needs no quotients by factors that are zero.
def prod(a, axis=None, dtype=None, *, keepdims=False):
    if axis is None and dtype is None and not keepdims and _are_sizes(a):
        return _product(a)
    a = _summable(_filled(a, 1), dtype)
    axes = _axes(axis, ndim(a))
    return _narrow_like(a, _kept(with_shape(_product_of_rows(_in_front(a, axes)), _reduced(shape_of(a), axes)), axes, keepdims))
# Whether they are a shape, or a part of one, whose product is to be a constant.
def _are_sizes(a):
    if not is_tuple(a):
        return False
    for size in a:
        if not isinstance(size, int):
            return False
    return True
def _product_of_rows(a):
    n = len(a)
    if n == 0:
        return ones(shape_of(a)[1:], dtype_of(a))
    if n == 1:
        return a[0]
    half = n // 2
    product = _product_of_rows(a[:half] * a[half:2 * half])
    return product if n % 2 == 0 else product * a[n - 1]

def max(a, axis=None, *, keepdims=False):
    return _extreme(array_of(a), axis, keepdims, True)
def amax(a, axis=None, *, keepdims=False):
    return _extreme(array_of(a), axis, keepdims, True)
def min(a, axis=None, *, keepdims=False):
    return _extreme(array_of(a), axis, keepdims, False)
def amin(a, axis=None, *, keepdims=False):
    return _extreme(array_of(a), axis, keepdims, False)
def _extreme(a, axis, keepdims, greatest):
    axes = _axes(axis, ndim(a))
    sizes = shape_of(a)
    if len(axes) == 0:
        return a
    to = _reduced(sizes, axes)
    if _product(to) != 0 and _product(sizes) == 0:
        return refuse(("no element of an array of shape ", sizes, " is the ", "greatest" if greatest else "least"))
    if dtype_of(a) == "bool":
        a = as_type(a, "int64")
        return as_type(_kept(max_to(a, to) if greatest else min_to(a, to), axes, keepdims), "bool")
    return _kept(max_to(a, to) if greatest else min_to(a, to), axes, keepdims)
def ptp(a, axis=None, *, keepdims=False):
    return _narrow_like(a, max(a, axis, keepdims=keepdims) - min(a, axis, keepdims=keepdims))
def average(a, axis=None, weights=None, *, keepdims=False):
    if weights is None:
        return mean(a, axis, keepdims=keepdims)
    a = array_of(a)
    weights = array_of(weights)
    if shape_of(weights) != shape_of(a):
        i = _axis(0 if axis is None and ndim(a) == 1 else axis, ndim(a))
        if shape_of(weights) != (shape_of(a)[i],):
            return refuse(("weights of shape ", shape_of(weights), " for an array of shape ", shape_of(a)))
        weights = broadcast(with_shape(weights, _with((1,) * ndim(a), i, len(weights))), shape_of(a))
    weighted = a * weights
    return _narrow_like(weighted, sum(weighted, axis, keepdims=keepdims) / sum(weights, axis, keepdims=keepdims))
def median(a, axis=None, *, keepdims=False):
    return quantile(a, 0.5, axis, keepdims=keepdims)
def percentile(a, q, axis=None, *, method="linear", keepdims=False):
    return quantile(a, array_of(q) / 100.0, axis, method=method, keepdims=keepdims)
# Between the two elements around the place; NaN, which is sorted last, wherever there is one.
def quantile(a, q, axis=None, *, method="linear", keepdims=False):
    if ndim(q) != 0:
        return _doubles(stack([quantile(a, one, axis, method=method, keepdims=keepdims) for one in _arrays(array_of(q))]))
    a = _floats(a)
    axes = _axes(axis, ndim(a))
    to = _reduced(shape_of(a), axes)
    rows = sort(_in_front(a, axes), 0)
    n = len(rows)
    if n == 0:
        return refuse(("an array of shape ", shape_of(a), " has no quantiles"))
    at = _place_of_quantile(q, n, method)
    low = int(floor(at))
    left = rows[low]
    right = rows[low + 1 if low < n - 1 else low]
    found = left + (right - left) * (at - low)
    return _narrow_like(a, _kept(with_shape(select(isnan(rows[n - 1]), nan, found), to), axes, keepdims))
# The place of a quantile among n elements in order, by the methods that NumPy names (Hyndman and Fan 1996).
def _place_of_quantile(q, n, method):
    if method == "linear":
        return q * (n - 1)
    if method == "lower":
        return floor(q * (n - 1))
    if method == "higher":
        return -floor(-q * (n - 1))
    if method == "nearest":
        return rint(q * (n - 1))
    if method == "midpoint":
        at = q * (n - 1)
        return select(at == floor(at), at, floor(at) + 0.5)
    if method == "inverted_cdf" or method == "averaged_inverted_cdf" or method == "closest_observation":
        at = q * n
        if method == "closest_observation":
            # Of two that are as near the one with an even place, counted from one.
            at = rint(at) - 1.0
        elif method == "inverted_cdf":
            at = -floor(-at) - 1.0
        else:
            at = select(at == floor(at), at - 0.5, floor(at))
        return clip(at, 0.0, n - 1.0)
    a, b = _method_of_quantiles(method)
    return clip(a + q * (n + 1.0 - a - b) - 1.0, 0.0, n - 1.0)
def _method_of_quantiles(method):
    if method == "interpolated_inverted_cdf":
        return 0.0, 1.0
    if method == "hazen":
        return 0.5, 0.5
    if method == "weibull":
        return 0.0, 0.0
    if method == "median_unbiased":
        return 1.0 / 3.0, 1.0 / 3.0
    return (0.375, 0.375) if method == "normal_unbiased" else refuse(("quantiles by the method ", method, " are not supported"))
def count_nonzero(a, axis=None, *, keepdims=False):
    return sum(as_type(array_of(_filled(a, 0)), "bool"), axis, keepdims=keepdims)
def any(a, axis=None, *, keepdims=False):
    return sum(as_type(array_of(_filled(a, False)), "bool"), axis, keepdims=keepdims) > 0
def all(a, axis=None, *, keepdims=False):
    a = array_of(_filled(a, True))
    n = _count(a, axis)
    return sum(as_type(a, "bool"), axis, keepdims=keepdims) == n

def argmax(a, axis=None, *, keepdims=False):
    return _place(array_of(a), axis, keepdims, True)
def argmin(a, axis=None, *, keepdims=False):
    return _place(array_of(a), axis, keepdims, False)
def _place(a, axis, keepdims, greatest):
    rank = ndim(a)
    if axis is None:
        a = ravel(a)
        sizes = (1,) * rank
        axis = 0
    else:
        axis = _axis(axis, rank)
        sizes = _with(shape_of(a), axis, 1)
    if shape_of(a)[axis] == 0:
        return refuse(("no element of an array of shape ", shape_of(a), " is the ", "greatest" if greatest else "least"))
    place = place_of_max(a, axis) if greatest else place_of_min(a, axis)
    return with_shape(place, sizes) if constant(keepdims, "`keepdims`") else place
def argsort(a, axis=-1):
    a = array_of(a)
    if axis is None:
        return order_of(ravel(a))
    axis = _axis(axis, ndim(a))
    return moveaxis(order_of(moveaxis(a, axis, -1)), -1, axis)
def sort(a, axis=-1):
    a = array_of(a)
    if axis is None:
        return sort(ravel(a), 0)
    return take_along_axis(a, argsort(a, axis), axis)
def take_along_axis(arr, indices, axis=-1):
    if axis is None:
        return take_along_axis(ravel(arr), indices, 0)
    axis = _axis(axis, ndim(arr))
    table = moveaxis(arr, axis, -1)
    places = moveaxis(indices, axis, -1)
    n = shape_of(table)[-1]
    k = shape_of(places)[-1]
    rest = _joined(shape_of(table)[:-1], shape_of(places)[:-1])
    count = _product(rest)
    table = with_shape(broadcast(table, rest + (n,)), (count * n,))
    places = with_shape(broadcast(indices_of(places, n), rest + (k,)), (count, k)) + n * iota((count, k, 0))
    return moveaxis(with_shape(gather(table, places), rest + (k,)), -1, axis)
def take(a, indices, axis=None):
    a = array_of(a)
    if axis is None:
        return take(ravel(a), indices, 0)
    axis = _axis(axis, ndim(a))
    indices = array_of(indices)
    found = moveaxis(a, axis, 0)[indices]
    n = ndim(indices)
    places = ()
    for i in _numbers(n):
        places = places + (axis + i,)
    return moveaxis(found, _numbers(n), places)

def diff(a, n=1, axis=-1):
    a = array_of(a)
    n = constant(n, "the number of differences")
    axis = _axis(axis, ndim(a))
    for _ in _numbers(n):
        count = _larger(shape_of(a)[axis] - 1, 0)
        upper = _cut(a, axis, 1, 1, count)
        lower = _cut(a, axis, 0, 1, count)
        a = upper != lower if dtype_of(a) == "bool" else upper - lower
    return a
# Jumps by more than half a period are taken for jumps by whole periods, which are constants.
def unwrap(p, discont=None, axis=-1, *, period=6.283185307179586):
    p = _floats(p)
    axis = _axis(axis, ndim(p))
    n = shape_of(p)[axis]
    if n < 2:
        return p
    jumps = diff(stopped(p), 1, axis)
    half = period / 2.0
    turned = (jumps + half) % period - half
    turned = select(logical_and(turned == -half, jumps > 0.0), half, turned)
    by = select(abs(jumps) < (half if discont is None else discont), 0.0, turned - jumps)
    return concat((_cut(p, axis, 0, 1, 1), _cut(p, axis, 1, 1, n - 1) + cumsum(by, axis)), axis)
def trapezoid(y, x=None, dx=1.0, axis=-1):
    y = _floats(y)
    axis = _axis(axis, ndim(y))
    n = _larger(shape_of(y)[axis] - 1, 0)
    if x is not None:
        x = array_of(x)
        dx = diff(with_shape(x, _with((1,) * ndim(y), axis, len(x))) if ndim(x) == 1 else x, 1, axis)
    return sum(dx * (_cut(y, axis, 1, 1, n) + _cut(y, axis, 0, 1, n)) / 2.0, axis)
def cumulative_sum(x, *, axis=None, dtype=None, include_initial=False):
    x = array_of(x)
    axis = _axis(0 if axis is None and ndim(x) == 1 else axis, ndim(x))
    sums = cumsum(x, axis, dtype)
    return concat((zeros(_with(shape_of(x), axis, 1), dtype_of(sums)), sums), axis) if include_initial else sums
def cumulative_prod(x, *, axis=None, dtype=None, include_initial=False):
    x = array_of(x)
    axis = _axis(0 if axis is None and ndim(x) == 1 else axis, ndim(x))
    products = cumprod(x, axis, dtype)
    return concat((ones(_with(shape_of(x), axis, 1), dtype_of(products)), products), axis) if include_initial else products
def cumsum(a, axis=None, dtype=None):
    a = _summable(a, dtype)
    if axis is None:
        return cumulate(ravel(a), 0)
    return cumulate(a, _axis(axis, ndim(a)))
# Products of 2, 4, 8, … neighbours.
def cumprod(a, axis=None, dtype=None):
    a = _summable(a, dtype)
    if axis is None:
        return cumprod(ravel(a), 0)
    axis = _axis(axis, ndim(a))
    return _products_so_far(a, axis, 1)
def _products_so_far(a, axis, by):
    n = shape_of(a)[axis]
    if by >= n:
        return a
    head = _cut(a, axis, 0, 1, by)
    a = concat((head, _cut(a, axis, by, 1, n - by) * _cut(a, axis, 0, 1, n - by)), axis)
    return _products_so_far(a, axis, 2 * by)

# Methods of NumPy's operators: along the first axis unless another is given.
def _sum_along(array, axis=0, *, keepdims=False):
    return sum(array, axis, keepdims=keepdims)
def _product_along(array, axis=0, *, keepdims=False):
    return prod(array, axis, keepdims=keepdims)
def _greatest_along(array, axis=0, *, keepdims=False):
    return max(array, axis, keepdims=keepdims)
def _least_along(array, axis=0, *, keepdims=False):
    return min(array, axis, keepdims=keepdims)
def _sums_so_far(array, axis=0):
    return cumsum(array, axis)
def _products_along(array, axis=0):
    return cumprod(array, axis)
def _outer_of(f, A, B):
    A = array_of(A)
    return f(with_shape(A, shape_of(A) + (1,) * ndim(B)), B)

# Reductions that pass over what is no number.
def nansum(a, axis=None, *, keepdims=False):
    return sum(_numbers_of(a, 0.0), axis, keepdims=keepdims)
def nanprod(a, axis=None, *, keepdims=False):
    return prod(_numbers_of(a, 1.0), axis, keepdims=keepdims)
def nancumsum(a, axis=None):
    return cumsum(_numbers_of(a, 0.0), axis)
def nanmean(a, axis=None, *, keepdims=False):
    a = _floats(a)
    return _narrow_like(a, nansum(a, axis, keepdims=keepdims) / sum(logical_not(isnan(a)), axis, keepdims=keepdims))
def nanvar(a, axis=None, *, ddof=0, keepdims=False):
    a = _floats(a)
    d = a - nanmean(a, axis, keepdims=True)
    n = sum(logical_not(isnan(a)), axis, keepdims=keepdims)
    return _narrow_like(a, nansum(d * d, axis, keepdims=keepdims) / select(n > ddof, 1.0 * (n - ddof), nan))
def nanstd(a, axis=None, *, ddof=0, keepdims=False):
    return _narrow_like(a, _root(nanvar(a, axis, ddof=ddof, keepdims=keepdims)))
def nancumprod(a, axis=None):
    return cumprod(_numbers_of(a, 1.0), axis)
def nanargmax(a, axis=None, *, keepdims=False):
    return argmax(_numbers_of(a, -inf), axis, keepdims=keepdims)
def nanargmin(a, axis=None, *, keepdims=False):
    return argmin(_numbers_of(a, inf), axis, keepdims=keepdims)
def nanmedian(a, axis=None, *, keepdims=False):
    return nanquantile(a, 0.5, axis, keepdims=keepdims)
def nanpercentile(a, q, axis=None, *, keepdims=False):
    return nanquantile(a, array_of(q) / 100.0, axis, keepdims=keepdims)
# Sorted last is what is no number.
def nanquantile(a, q, axis=None, *, keepdims=False):
    if ndim(q) != 0:
        return _doubles(stack([nanquantile(a, one, axis, keepdims=keepdims) for one in _arrays(array_of(q))]))
    a = _floats(a)
    axes = _axes(axis, ndim(a))
    to = _reduced(shape_of(a), axes)
    rows = sort(_in_front(a, axes), 0)
    count = maximum(sum(logical_not(isnan(rows)), 0, keepdims=True), 1)
    at = q * (count - 1)
    low = as_type(floor(at), "int64")
    left = take_along_axis(rows, low, 0)
    right = take_along_axis(rows, minimum(low + 1, count - 1), 0)
    return _narrow_like(a, _kept(with_shape(left + (right - left) * (at - low), to), axes, keepdims))
def nanmax(a, axis=None, *, keepdims=False):
    return _nan_extreme(_floats(a), axis, keepdims, True)
def nanmin(a, axis=None, *, keepdims=False):
    return _nan_extreme(_floats(a), axis, keepdims, False)
def _nan_extreme(a, axis, keepdims, greatest):
    found = _extreme(select(isnan(a), -inf if greatest else inf, a), axis, keepdims, greatest)
    return _narrow_like(a, select(all(isnan(a), axis, keepdims=keepdims), nan, found))
def _numbers_of(a, nothing):
    a = array_of(a)
    return as_type(select(isnan(a), nothing, a), dtype_of(a)) if _is_float(a) else a

# Second order inside, for unequal steps, too; at the ends of first order, or of second.
def gradient(f, *varargs, axis=None, edge_order=1):
    f = _floats(f)
    axes = _axes(axis, ndim(f))
    if len(varargs) > 1 and len(varargs) != len(axes):
        return refuse(("steps along ", len(varargs), " axes, where there are ", len(axes)))
    slopes = ()
    for place, one in enumerate(axes):
        step = 1.0 if len(varargs) == 0 else varargs[0 if len(varargs) == 1 else place]
        slopes = slopes + (_gradient(f, array_of(step), one, constant(edge_order, "the order at the ends")),)
    return slopes[0] if len(slopes) == 1 else slopes
def _gradient(f, step, axis, order):
    n = shape_of(f)[axis]
    if n < order + 1:
        return refuse(("an axis of length ", n, " is too short for a gradient"))
    sizes = _with((1,) * ndim(f), axis, n - 1)
    steps = with_shape(diff(step), sizes) if ndim(step) > 0 else broadcast(step, sizes)
    rises = diff(f, 1, axis) / steps
    # Of the two slopes around a place, the one over the shorter step counts for more.
    left = _cut(steps, axis, 0, 1, n - 2)
    right = _cut(steps, axis, 1, 1, n - 2)
    lower = _cut(rises, axis, 0, 1, n - 2)
    upper = _cut(rises, axis, 1, 1, n - 2)
    inside = (lower * right + upper * left) / (left + right)
    first = _cut(rises, axis, 0, 1, 1)
    last = _cut(rises, axis, n - 2, 1, 1)
    if order == 2:
        a = _cut(steps, axis, 0, 1, 1)
        b = _cut(steps, axis, 1, 1, 1)
        first = first - a / (a + b) * (_cut(rises, axis, 1, 1, 1) - first)
        a = _cut(steps, axis, n - 2, 1, 1)
        b = _cut(steps, axis, n - 3, 1, 1)
        last = last + a / (a + b) * (last - _cut(rises, axis, n - 3, 1, 1))
    return _narrow_like(f, concat((first, inside, last), axis))
def ediff1d(ary):
    return diff(ravel(ary))
# Rows are variables, columns are observations.
def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    x = _variables(m, rowvar)
    if y is not None:
        x = concat((x, _variables(y, rowvar)), 0)
    n = shape_of(x)[1]
    lost = (0 if bias else 1) if ddof is None else ddof
    if fweights is None and aweights is None:
        d = x - mean(x, 1, keepdims=True)
        products = d @ conj(transpose(d)) / maximum(n - lost, 0)
    else:
        times = ones((n,)) if fweights is None else _doubles(fweights)
        each = ones((n,)) if aweights is None else _doubles(aweights)
        w = times * each
        d = x - with_shape(x @ w / sum(w), (len(x), 1))
        by = sum(w) - lost * (1.0 if aweights is None else sum(w * each) / sum(w))
        products = (w * d) @ conj(transpose(d)) / by
    return squeeze(products) if shape_of(products) == (1, 1) else products
def _variables(m, rowvar):
    m = as_type(array_of(m), "float64")
    if ndim(m) > 2:
        return refuse(("an array of shape ", shape_of(m), " has no rows of observations"))
    m = atleast_2d(m)
    return m if rowvar or shape_of(m)[0] == 1 else transpose(m)
def corrcoef(x, y=None, rowvar=True):
    c = cov(x, y, rowvar)
    if ndim(c) == 0:
        return c / c
    d = sqrt(diagonal(c))
    return clip(c / outer(d, d), -1.0, 1.0)
