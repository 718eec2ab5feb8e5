# Places and sets that are known when the program is compiled, and functions that are called along axes or for each element.

# The elements of constants, row by row; none if they are an array, whose elements only the run knows.
def _known(a):
    if not is_tuple(a):
        return None if is_array(a) else (a,)
    items = ()
    for one in a:
        known = _known(one)
        if known is None:
            return None
        items = items + known
    return items
def _known_shape(a):
    return (len(a),) + _known_shape(a[0]) if is_tuple(a) and len(a) > 0 else (0,) if is_tuple(a) else ()
# The places of what is not zero, of constants, or so many as `size` says (JAX): beyond those that there are it is `fill_value`.
def nonzero(a, *, size=None, fill_value=None):
    if size is not None:
        return unravel_index(flatnonzero(a, size=size, fill_value=fill_value), shape(a))
    sizes = _known_shape(a)
    return unravel_index(array(_places_of_nonzero(a), "int64"), sizes)
def flatnonzero(a, *, size=None, fill_value=None):
    if size is None:
        return array(_places_of_nonzero(a), "int64")
    a = ravel(a) != 0
    size = constant(size, "`size`")
    places = order_of(as_type(logical_not(a), "int64"))
    count = _smaller(size, len(a))
    inside = iota((count, 0)) < sum(a)
    fill = 0 if fill_value is None else fill_value
    return concat((select(inside, places[:count], fill), full((size - count,), fill, "int64")), 0)
def _places_of_nonzero(a):
    items = _known(a)
    if items is None:
        return refuse("how many elements are not zero only the run knows: write `np.where(x != 0, …, 0)`, or `size=` in JAX")
    places = ()
    for i, item in enumerate(constant(items, "what is looked at for zeros")):
        places = places if item == 0 else places + (i,)
    return places
def argwhere(a, *, size=None, fill_value=None):
    return stack(nonzero(a, size=size, fill_value=fill_value), 1)
def _known_elements(ar, what):
    items = _known(ar)
    return refuse((what, " of an array has a length that only the run knows")) if items is None else constant(items, "a set")
def _sorted_set(items):
    chosen = ()
    for item in items:
        at = 0
        for other in chosen:
            at = at + 1 if other < item else at
        chosen = chosen if item in chosen else chosen[:at] + (item,) + chosen[at:]
    return chosen
def unique(ar, return_index=False, return_inverse=False, return_counts=False, *, size=None, fill_value=None):
    if size is not None:
        return _unique_of_size(ravel(ar), constant(size, "`size`"), fill_value)
    items = _known_elements(ar, "`unique`")
    values = _sorted_set(items)
    firsts, counts, inverse = (), (), ()
    for value in values:
        firsts = firsts + (_place_of(value, items),)
        counts = counts + (len([item for item in items if item == value]),)
    for item in items:
        inverse = inverse + (_place_of(item, values),)
    results = (array_of(values),)
    results = results + (array_of(firsts),) if return_index else results
    results = results + (array_of(inverse),) if return_inverse else results
    results = results + (array_of(counts),) if return_counts else results
    return results[0] if len(results) == 1 else results
# What is not the same as the one before, in order: JAX's, with the least element where there are no more.
def _unique_of_size(a, size, fill):
    a = sort(a)
    new = concat((array_of((True,)), a[1:] != a[:-1]), 0)
    places = flatnonzero(new, size=size, fill_value=0)
    return select(iota((size, 0)) < sum(new), a[places], a[0] if fill is None else fill)
def union1d(ar1, ar2):
    return array_of(_sorted_set(_known_elements(ar1, "`union1d`") + _known_elements(ar2, "`union1d`")))
def intersect1d(ar1, ar2):
    others = _known_elements(ar2, "`intersect1d`")
    return array(tuple([item for item in _sorted_set(_known_elements(ar1, "`intersect1d`")) if item in others]), "int64")
def setdiff1d(ar1, ar2):
    others = _known_elements(ar2, "`setdiff1d`")
    return array(tuple([item for item in _sorted_set(_known_elements(ar1, "`setdiff1d`")) if item not in others]), "int64")

def unravel_index(indices, shape):
    sizes = _shape(shape)
    indices = array_of(indices)
    places = ()
    for i in _numbers(len(sizes)):
        places = places + (indices // _product(sizes[i + 1:]) % sizes[i],) if _product(sizes) > 0 else places + (indices,)
    return places
def ravel_multi_index(multi_index, dims):
    total = 0
    for n, places in zip(_shape(dims), multi_index):
        total = total * n + array_of(places)
    return total
def tril_indices_from(arr, k=0):
    return tril_indices(shape_of(arr)[0], k, shape_of(arr)[1])
def triu_indices_from(arr, k=0):
    return triu_indices(shape_of(arr)[0], k, shape_of(arr)[1])
def diag_indices_from(arr):
    return diag_indices(len(arr), ndim(arr))
def ix_(*args):
    grids = ()
    for i, one in enumerate(args):
        if dtype_of(array_of(one)) == "bool":
            one = array(_places_of_nonzero(one), "int64")
        grids = grids + (with_shape(array_of(one), _with((1,) * len(args), i, size(one))),)
    return grids
def ndindex(*shape):
    sizes = _shape(shape[0] if len(shape) == 1 else shape)
    return itertools_product(*[tuple(range(n)) for n in sizes])
def ndenumerate(arr):
    return [(place, arr[place]) for place in ndindex(shape(arr))]
def broadcast_shapes(*args):
    sizes = ()
    for one in args:
        sizes = _joined(sizes, _shape(one))
    return sizes
def choose(a, choices, mode="raise"):
    a = array_of(a)
    n = len(choices)
    a = clip(a, 0, n - 1) if mode == "clip" else a % n if mode == "wrap" else a
    chosen = choices[0]
    for i in _numbers(n)[1:]:
        chosen = select(a == i, array_of(choices[i]), array_of(chosen))
    sizes = shape_of(a)
    for one in choices:
        sizes = _joined(sizes, shape(one))
    return broadcast(chosen, sizes)
def put_along_axis(arr, indices, values, axis):
    return refuse("`put_along_axis` is not supported: write `np.where`, or `x[rows, columns] = values`")

# The function of each vector along an axis, whose result takes the place of the axis.
def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    arr = array_of(arr)
    axis = _axis(axis, ndim(arr))
    sizes = shape_of(arr)
    outer = sizes[:axis] + sizes[axis + 1:]
    rows = with_shape(moveaxis(arr, axis, -1), (_product(outer), sizes[axis]))
    found = array_of(_mapped_rows(lambda row: array_of(func1d(row, *args, **kwargs)), (rows,), (0,)))
    inner = shape_of(found)[1:]
    found = with_shape(found, outer + inner)
    n = len(inner)
    places = ()
    for i in _numbers(n):
        places = places + (axis + i,)
    return moveaxis(found, tuple([len(outer) + i for i in _numbers(n)]), places)
def apply_over_axes(func, a, axes):
    a = array_of(a)
    for axis in _axes(axes, ndim(a)):
        found = func(a, axis)
        a = found if ndim(found) == ndim(a) else expand_dims(found, axis)
    return a
# The function of each element, which is a number.
def vectorize(pyfunc, otypes=None, doc=None, excluded=None, cache=False, signature=None):
    if excluded is not None or signature is not None:
        return refuse("`vectorize` with `excluded` or `signature` is not supported: write a loop, or `jax.vmap`")
    return lambda *args: _of_each_element(pyfunc, args)
def _of_each_element(function, args):
    sizes = ()
    for one in args:
        sizes = _joined(sizes, shape(one))
    if len(sizes) == 0:
        return function(*args)
    flat = ()
    for one in args:
        flat = flat + (ravel(broadcast_to(one, sizes)),)
    found = _mapped_rows(function, flat, (0,) * len(flat))
    return _with_shape_of_each(found, sizes)
def _with_shape_of_each(found, sizes):
    if is_tuple(found):
        return tuple([with_shape(one, sizes) for one in found])
    return with_shape(found, sizes)
def piecewise(x, condlist, funclist, *args):
    x = array_of(x)
    conditions = condlist if is_tuple(condlist) and (ndim(x) == 0 or not isinstance(condlist[0], bool)) else (condlist,)
    if len(funclist) != len(conditions) and len(funclist) != len(conditions) + 1:
        return refuse((len(funclist), " functions for ", len(conditions), " conditions"))
    y = _piece(funclist[-1], x, args) if len(funclist) > len(conditions) else zeros_like(x)
    for condition, function in zip(conditions, funclist):
        y = select(array_of(condition), _piece(function, x, args), y)
    return y
def _piece(function, x, args):
    return as_type(broadcast_to(array_of(function(x, *args) if callable(function) else function), shape_of(x)), dtype_of(x))
# Arrays in lists in lists: the innermost lists are rows of blocks.
def block(arrays):
    depth = _depth(arrays)
    return _blocks(arrays, depth, _larger(depth, _greatest_rank(arrays)))
def _depth(a):
    return 1 + _depth(a[0]) if is_tuple(a) else 0
def _greatest_rank(a):
    if not is_tuple(a):
        return ndim(a)
    rank = 0
    for one in a:
        rank = _larger(rank, _greatest_rank(one))
    return rank
def _blocks(a, depth, rank):
    if depth == 0:
        return with_shape(array_of(a), (1,) * (rank - ndim(a)) + shape(a))
    parts = ()
    for one in a:
        parts = parts + (_blocks(one, depth - 1, rank),)
    return concatenate(parts, rank - depth)
def dsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 2)
def unstack(x, axis=0):
    return _arrays(moveaxis(x, axis, 0))
def array_equiv(a1, a2):
    return all(array_of(a1) == array_of(a2))
# The elements in order: then the first ones are the least, too.
def partition(a, kth, axis=-1):
    return sort(a, axis)
def argpartition(a, kth, axis=-1):
    return argsort(a, axis)
# Of the last key first: equal ones stay in their order.
def lexsort(keys, axis=-1):
    keys = _arrays(keys)
    order = argsort(keys[0], axis)
    for key in keys[1:]:
        order = take_along_axis(order, argsort(take_along_axis(key, order, axis), axis), axis)
    return order

def _flags(x):
    return array_of(x) * 1.0
def isposinf(x):
    return _flags(x) == inf
def isneginf(x):
    return _flags(x) == -inf
def signbit(x):
    return copysign(1.0, _flags(x)) < 0.0
def fmax(x1, x2):
    return _but_nan(x1, x2, maximum(x1, x2))
def fmin(x1, x2):
    return _but_nan(x1, x2, minimum(x1, x2))
def _but_nan(x1, x2, chosen):
    x1, x2 = array_of(x1), array_of(x2)
    return as_type(select(isnan(x1), x2, select(isnan(x2), x1, chosen)), dtype_of(chosen))
def logaddexp2(x1, x2):
    x1, x2 = _floats(x1) * log(2.0), _floats(x2) * log(2.0)
    return logaddexp(x1, x2) / log(2.0)
def gcd(x1, x2):
    a, b = array_of(x1) + 0 * array_of(x2), array_of(x2) + 0 * array_of(x1)
    while any(b != 0):
        a, b = select(b == 0, a, b), select(b == 0, 0, a % select(b == 0, 1, b))
    return abs(a)
def lcm(x1, x2):
    common = gcd(x1, x2)
    return abs(array_of(x1) // select(common == 0, 1, common) * array_of(x2))
# The power of two that is not greater, by the logarithm, which may be one off.
def _binary_exponent(size):
    e = floor(log2(select(size > 0.0, size, 1.0)))
    e = select(_power_of_two(e) > size, e - 1.0, e)
    return select(_power_of_two(e + 1.0) <= size, e + 1.0, e)
def _power_of_two(e):
    half = floor(e / 2.0)
    return power(2.0, half) * power(2.0, e - half)
def spacing(x):
    x = _floats(x)
    size = abs(stopped(x))
    digits, least = (23.0, -149.0) if dtype_of(x) == "float32" else (52.0, -1074.0)
    step = _power_of_two(maximum(_binary_exponent(size) - digits, least))
    return as_type(copysign(select(size == 0.0, _power_of_two(least), select(isfinite(size), step, nan)), x), dtype_of(x))
def nextafter(x1, x2):
    x1, x2 = array_of(x1), array_of(x2)
    dtype = dtype_of(_floats(x1 + x2))
    sizes = _joined(shape_of(x1), shape_of(x2))
    return _after(broadcast(as_type(x1, dtype), sizes), broadcast(as_type(x2, dtype), sizes))
# From zero to the least number. Towards zero from a power of two the step is half as large.
def _after(x, y):
    outwards = abs(y) > abs(x)
    outwards = select(x * y < 0.0, False, outwards)
    step = abs(spacing(select(isfinite(x), x, 1.0)))
    size = abs(x)
    small = _power_of_two(_binary_exponent(size)) == size
    least = abs(spacing(zeros_like(x)))
    inner = select(small, maximum(0.5 * step, least), step)
    moved = copysign(select(outwards, size + step, size - inner), x)
    moved = select(size == inf, copysign(_limit_of_floats(dtype_of(x), "max"), x), moved)
    moved = select(isnan(x + y), nan, select(x == 0.0, copysign(least, y), moved))
    return as_type(select(x == y, y, moved), dtype_of(x))
def math_ulp(x):
    return inf if abs(float(x)) == inf else abs(spacing(float(x)))
def math_nextafter(x, y):
    return nextafter(float(x), float(y))
def frexp(x):
    x = _floats(x)
    size = abs(stopped(x))
    normal = logical_and(size > 0.0, size < inf)
    e = select(normal, _binary_exponent(select(normal, size, 1.0)) + 1.0, 0.0)
    half = floor(e / 2.0)
    return x * power(2.0, -half) * power(2.0, half - e), as_type(e, "int64")

# What is made of the parts of an index, of which a slice is a tuple of three, or of four with the number of points.
def _index_itself(parts):
    return refuse("`s_` is used with an index: `np.s_[1:3]`")
def _points_of(bounds):
    start, stop, step = bounds[:3]
    start = 0 if start is None else start
    if len(bounds) == 4:
        return linspace(start, stop, bounds[3])
    return arange(start, stop, 1 if step is None else step)
def _mgrid(parts):
    if len(parts) == 1:
        return _points_of(parts[0])
    return array_of(meshgrid(*[_points_of(one) for one in parts], indexing="ij"))
def _ogrid(parts):
    if len(parts) == 1:
        return _points_of(parts[0])
    return ix_(*[_points_of(one) for one in parts])
def _joined_parts(parts):
    pieces = ()
    for one in parts:
        if len(one) == 1 and isinstance(one[0], str):
            return refuse("`r_` with a string is not supported: write `np.concatenate`")
        pieces = pieces + (_points_of(one) if len(one) > 2 else atleast_1d(one[0]),)
    return concatenate(pieces)
def _columns_of(parts):
    return column_stack(tuple([_points_of(one) if len(one) > 2 else atleast_1d(one[0]) for one in parts]))
# Whether a type of elements is of a kind.
def issubdtype(arg1, arg2):
    kinds = ("generic", "number")
    if arg1 == "int64":
        kinds = kinds + ("integer", "signedinteger", "int64", "int")
    elif arg1 == "bool":
        kinds = ("generic", "bool")
    else:
        kinds = kinds + ("inexact", "complexfloating" if arg1 == "complex128" else "floating", arg1)
    return arg2 in kinds
