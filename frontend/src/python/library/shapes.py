# Shapes and axes, and what changes them. Everything here but the arrays themselves is a constant of the program.

def shape(a):
    return shape_of(a)
def ndim(a):
    return len(shape(a))
def size(a):
    return _product(shape(a))
def _dtype(a):
    return dtype_of(a)

def _product(sizes):
    n = 1
    for size in sizes:
        n = n * size
    return n
def _larger(a, b):
    return a if a > b else b
def _smaller(a, b):
    return a if a < b else b
def _numbers(n):
    return tuple(range(n))
def _among(i, axes):
    for axis in axes:
        if axis == i:
            return True
    return False
def _others(rank, axes):
    others = ()
    for i in _numbers(rank):
        others = others if _among(i, axes) else others + (i,)
    return others
def _picked(sizes, axes):
    picked = ()
    for axis in axes:
        picked = picked + (sizes[axis],)
    return picked
def _with(sizes, axis, n):
    return sizes[:axis] + (n,) + sizes[axis + 1:]

# One integer, or a tuple of them, as a tuple.
def _integers(given, name):
    given = constant(given, name)
    return given if is_tuple(given) else (given,)
def _shape(given):
    sizes = _integers(given, "the shape")
    for n in sizes:
        if n < 0:
            return refuse(("there are no arrays of shape ", sizes))
    return tuple(sizes)
# An axis, counted from the end if negative.
def _axis(axis, rank):
    axis = constant(axis, "the axis")
    if axis < -rank or axis >= rank:
        return refuse(("axis ", axis, " is out of bounds for an array of ", rank, " dimensions"))
    return axis + rank if axis < 0 else axis
# The axes that an argument `axis` names, in its order: all of them for `None`.
def _axes(axis, rank):
    if axis is None:
        return _numbers(rank)
    axes = ()
    for one in _integers(axis, "the axis"):
        one = _axis(one, rank)
        if _among(one, axes):
            return refuse(("axis ", one, " is given twice"))
        axes = axes + (one,)
    return axes
# The shape that two shapes are broadcast to.
def _joined(a, b):
    rank = _larger(len(a), len(b))
    joined = ()
    for m, n in zip((1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b):
        if m != n and m != 1 and n != 1:
            return refuse(("arrays of shapes ", a, " and ", b, " do not broadcast together"))
        joined = joined + (m if n == 1 else n,)
    return joined

def reshape(a, shape):
    a = array_of(a)
    sizes = _integers(shape, "the shape")
    count = size(a)
    known = 1
    open = ()
    for i, n in enumerate(sizes):
        if n == -1:
            open = open + (i,)
        else:
            known = known * n
    if len(open) > 1:
        return refuse("only one length of a shape can be left open")
    if len(open) == 1 and known != 0:
        sizes = _with(sizes, open[0], count // known)
    if _product(sizes) != count or len(open) == 1 and known == 0:
        return refuse(("an array of shape ", shape_of(a), " cannot be reshaped to ", shape))
    return with_shape(a, sizes)
def _reshape_method(a, *shape):
    return reshape(a, shape[0] if len(shape) == 1 else shape)
def ravel(a):
    return with_shape(array_of(a), (size(a),))
def _flatten(a):
    return copy(ravel(a))
def transpose(a, axes=None):
    a = array_of(a)
    rank = ndim(a)
    if axes is None:
        return _permuted(a, tuple(reversed(_numbers(rank))))
    axes = _axes(axes, rank)
    if len(axes) != rank:
        return refuse(("the axes ", axes, " are not those of an array of shape ", shape_of(a)))
    return _permuted(a, axes)
def _transpose_method(a, *axes):
    return transpose(a, None if len(axes) == 0 else axes[0] if len(axes) == 1 else axes)
def _permuted(a, axes):
    return a if axes == _numbers(len(axes)) else permute(a, axes)
def swapaxes(a, axis1, axis2):
    a = array_of(a)
    rank = ndim(a)
    i = _axis(axis1, rank)
    j = _axis(axis2, rank)
    return _permuted(a, _with(_with(_numbers(rank), i, j), j, i))
def moveaxis(a, source, destination):
    a = array_of(a)
    rank = ndim(a)
    sources = _axes(source, rank)
    places = _axes(destination, rank)
    if len(sources) != len(places):
        return refuse("as many axes are moved as there are places for them")
    rest = _others(rank, sources)
    axes = ()
    for i in _numbers(rank):
        if _among(i, places):
            axes = axes + (sources[_place_of(i, places)],)
        else:
            axes = axes + (rest[0],)
            rest = rest[1:]
    return _permuted(a, axes)
def _place_of(i, items):
    for place, item in enumerate(items):
        if item == i:
            return place
    return refuse(("there is no ", i, " among ", items))
def expand_dims(a, axis):
    a = array_of(a)
    rest = shape_of(a)
    axes = _integers(axis, "the axis")
    rank = len(rest) + len(axes)
    axes = _axes(axes, rank)
    sizes = ()
    for i in _numbers(rank):
        if _among(i, axes):
            sizes = sizes + (1,)
        else:
            sizes = sizes + (rest[0],)
            rest = rest[1:]
    return with_shape(a, sizes)
def squeeze(a, axis=None):
    a = array_of(a)
    sizes = shape_of(a)
    axes = ()
    if axis is None:
        for i, n in enumerate(sizes):
            axes = axes + (i,) if n == 1 else axes
    else:
        axes = _axes(axis, len(sizes))
    for i in axes:
        if sizes[i] != 1:
            return refuse(("axis ", i, " of an array of shape ", sizes, " has more than one element"))
    return with_shape(a, _picked(sizes, _others(len(sizes), axes)))
def atleast_1d(a):
    return ravel(a) if ndim(a) == 0 else array_of(a)
def atleast_2d(a):
    a = atleast_1d(a)
    return with_shape(a, (1,) + shape_of(a)) if ndim(a) == 1 else a
def atleast_3d(a):
    a = array_of(a)
    sizes = shape_of(a)
    if len(sizes) > 2:
        return a
    return with_shape(a, (1, 1, 1) if len(sizes) == 0 else (1,) + sizes + (1,) if len(sizes) == 1 else sizes + (1,))
def broadcast_to(array, shape):
    array = array_of(array)
    shape = _shape(shape)
    if len(shape) < ndim(array) or _joined(shape_of(array), shape) != shape:
        return refuse(("an array of shape ", shape_of(array), " cannot be broadcast to ", shape))
    return broadcast(array, shape)
def broadcast_arrays(*args):
    sizes = ()
    for one in args:
        sizes = _joined(sizes, shape(one))
    return tuple([broadcast_to(one, sizes) for one in args])
def _tolist(a):
    a = array_of(a)
    return a if ndim(a) == 0 else [_tolist(row) for row in _arrays(a)]
def isscalar(element):
    return isinstance(element, (int, float, complex, str)) and not is_array(element)
def compress(condition, a, axis=None):
    if axis is None:
        return compress(condition, ravel(a), 0)
    kept = ()
    for i, holds in enumerate(_integers(condition, "the condition of `compress`")):
        kept = kept + (i,) if holds else kept
    axis = _axis(axis, ndim(a))
    return _cut(array_of(a), axis, 0, 1, 0) if len(kept) == 0 else take(a, kept, axis)
def _item(a, *index):
    a = array_of(a)
    if len(index) > 0:
        a = a if len(index) == ndim(a) else ravel(a)
        for i in index:
            a = a[i]
        return a
    if size(a) != 1:
        return refuse(("an array of shape ", shape_of(a), " is not one number"))
    return with_shape(a, ())

# Elements `first`, `first + step`, … of an axis, `count` of them.
def _cut(a, axis, first, step, count):
    cuts = ()
    for i, n in enumerate(shape_of(a)):
        cuts = cuts + ((first if count > 0 else 0, step, count) if i == axis else (0, 1, n))
    return part(a, cuts)
def flip(m, axis=None):
    m = array_of(m)
    for i in _axes(axis, ndim(m)):
        n = shape_of(m)[i]
        m = _cut(m, i, n - 1, -1, n)
    return m
def flipud(m):
    return flip(m, 0)
def fliplr(m):
    return flip(m, 1)
def roll(a, shift, axis=None):
    a = array_of(a)
    if axis is None:
        return with_shape(roll(ravel(a), shift, 0), shape_of(a))
    shifts = _integers(shift, "the shift")
    axes = _integers(axis, "the axis")
    shifts = shifts * len(axes) if len(shifts) == 1 else shifts
    axes = axes * len(shifts) if len(axes) == 1 else axes
    if len(shifts) != len(axes):
        return refuse("there are as many shifts as axes")
    for by, i in zip(shifts, axes):
        i = _axis(i, ndim(a))
        n = shape_of(a)[i]
        by = 0 if n == 0 else by % n
        if by != 0:
            a = concat((_cut(a, i, n - by, 1, by), _cut(a, i, 0, 1, n - by)), i)
    return a
def repeat(a, repeats, axis=None):
    a = array_of(a)
    if axis is None:
        return repeat(ravel(a), repeats, 0)
    axis = _axis(axis, ndim(a))
    sizes = shape_of(a)
    repeats = _integers(repeats, "the number of repeats")
    if len(repeats) == 1:
        inner = broadcast(with_shape(a, sizes[:axis + 1] + (1,) + sizes[axis + 1:]), sizes[:axis + 1] + repeats + sizes[axis + 1:])
        return with_shape(inner, _with(sizes, axis, sizes[axis] * repeats[0]))
    if len(repeats) != sizes[axis]:
        return refuse(("an axis of length ", sizes[axis], " is repeated by ", len(repeats), " numbers"))
    places = ()
    for i, n in enumerate(repeats):
        places = places + (i,) * n
    return take(a, places, axis)
def tile(A, reps):
    A = array_of(A)
    reps = _integers(reps, "the number of repeats")
    rank = _larger(len(reps), ndim(A))
    reps = (1,) * (rank - len(reps)) + reps
    sizes = (1,) * (rank - ndim(A)) + shape_of(A)
    split = ()
    wide = ()
    joined = ()
    for n, r in zip(sizes, reps):
        split = split + (1, n)
        wide = wide + (r, n)
        joined = joined + (r * n,)
    return with_shape(broadcast(with_shape(A, split), wide), joined)

# The arrays in a tuple, or the rows of an array.
def _arrays(given):
    if is_array(given):
        rows = ()
        for i in _numbers(len(given)):
            rows = rows + (given[i],)
        return rows
    if not is_tuple(given) or len(given) == 0:
        return refuse("a list of arrays is needed, with at least one")
    arrays = ()
    for one in given:
        arrays = arrays + (array_of(one),)
    return arrays
# A list whose length only the run knows.
def _is_open(given):
    return defines(given, "__append__")
# Along one of the other axes all that the first axis holds.
def _put_along(a, axis):
    axis = _axis(axis, ndim(a) - 1)
    a = moveaxis(a, 0, axis)
    shape = shape_of(a)
    return with_shape(a, shape[:axis] + (shape[axis] * shape[axis + 1],) + shape[axis + 2:])
def concatenate(arrays, axis=0):
    if _is_open(arrays):
        return ravel(array_of(arrays)) if axis is None else _put_along(array_of(arrays), axis)
    arrays = _arrays(arrays)
    if axis is None:
        flat = ()
        for one in arrays:
            flat = flat + (ravel(one),)
        return concat(flat, 0)
    first = shape_of(arrays[0])
    if len(first) == 0:
        return refuse("numbers cannot be concatenated, they have no axes")
    axis = _axis(axis, len(first))
    for one in arrays:
        if ndim(one) != len(first) or _with(shape_of(one), axis, 0) != _with(first, axis, 0):
            return refuse(("arrays of shapes ", first, " and ", shape_of(one), " cannot be concatenated along axis ", axis))
    return concat(arrays, axis)
def append(arr, values, axis=None):
    return concatenate((arr, values), axis)
# Two numbers for each axis: of the elements before and after.
def _widths(given, rank):
    given = constant(given, "the width of a margin")
    given = given if is_tuple(given) else (given,)
    if is_tuple(given[0]):
        return given * rank if len(given) == 1 else given
    return ((given[0], given[-1]),) * rank
def pad(array, pad_width, mode="constant", *, constant_values=0):
    array = array_of(array)
    widths = _widths(pad_width, ndim(array))
    if len(widths) != ndim(array):
        return refuse(("margins for ", len(widths), " axes, of an array of shape ", shape_of(array)))
    for axis, width in enumerate(widths):
        sizes = shape_of(array)
        n = sizes[axis]
        if mode == "constant":
            before = full(_with(sizes, axis, width[0]), constant_values, dtype_of(array))
            after = full(_with(sizes, axis, width[1]), constant_values, dtype_of(array))
            array = concat((before, array, after), axis)
        else:
            places = iota((width[0] + n + width[1], 0)) - width[0]
            array = take(array, _inside(places, n, mode), axis)
    return array
# The places among `n` that stand for others.
def _inside(places, n, mode):
    if mode == "edge":
        return clip(places, 0, n - 1)
    if mode == "wrap":
        return places % n
    if mode == "symmetric":
        places = places % (2 * n)
        return minimum(places, 2 * n - 1 - places)
    if mode == "reflect":
        places = places % _larger(2 * n - 2, 1)
        return minimum(places, 2 * n - 2 - places)
    return refuse(("`pad` has no mode ", mode))
def stack(arrays, axis=0):
    if _is_open(arrays):
        return moveaxis(array_of(arrays), 0, axis)
    rows = ()
    for one in _arrays(arrays):
        if len(rows) > 0 and shape_of(one) != shape_of(arrays[0]):
            return refuse(("arrays of shapes ", shape_of(arrays[0]), " and ", shape_of(one), " cannot be stacked"))
        rows = rows + (expand_dims(one, axis),)
    return concatenate(rows, axis)
def vstack(tup):
    if _is_open(tup):
        rows = array_of(tup)
        return rows if ndim(rows) == 2 else expand_dims(rows, 1) if ndim(rows) == 1 else _put_along(rows, 0)
    rows = ()
    for one in _arrays(tup):
        rows = rows + (atleast_2d(one),)
    return concatenate(rows, 0)
def hstack(tup):
    if _is_open(tup):
        columns = array_of(tup)
        return columns if ndim(columns) == 1 else _put_along(columns, 0 if ndim(columns) == 2 else 1)
    columns = ()
    for one in _arrays(tup):
        columns = columns + (atleast_1d(one),)
    return concatenate(columns, 0 if ndim(columns[0]) == 1 else 1)
def column_stack(tup):
    if _is_open(tup):
        columns = array_of(tup)
        return transpose(columns) if ndim(columns) == 2 else concatenate(tup, 1) if ndim(columns) > 2 else columns[None, :]
    columns = ()
    for one in _arrays(tup):
        columns = columns + (one if ndim(one) > 1 else with_shape(one, (size(one), 1)),)
    return concatenate(columns, 1)
def dstack(tup):
    slices = ()
    for one in _arrays(tup):
        slices = slices + (atleast_3d(one),)
    return concatenate(slices, 2)
def split(ary, indices_or_sections, axis=0):
    ary = array_of(ary)
    axis = _axis(axis, ndim(ary))
    n = shape_of(ary)[axis]
    ends = constant(indices_or_sections, "the places of a split")
    if not is_tuple(ends):
        parts = ends
        if parts <= 0 or n % parts != 0:
            return refuse(("an axis of length ", n, " cannot be split into ", parts, " equal parts"))
        ends = ()
        for i in _numbers(parts - 1):
            ends = ends + ((i + 1) * (n // parts),)
    pieces = ()
    start = 0
    for end in ends + (n,):
        end = _smaller(end + n if end < 0 else end, n)
        pieces = pieces + (_cut(ary, axis, start, 1, _larger(end - start, 0)),)
        start = end
    return [*pieces]
def array_split(ary, indices_or_sections, axis=0):
    ary = array_of(ary)
    parts = constant(indices_or_sections, "the places of a split")
    if is_tuple(parts):
        return split(ary, parts, axis)
    n = shape_of(ary)[_axis(axis, ndim(ary))]
    ends = ()
    end = 0
    for i in _numbers(parts - 1):
        end = end + n // parts + (1 if i < n % parts else 0)
        ends = ends + (end,)
    return split(ary, ends, axis)
def hsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0 if ndim(ary) == 1 else 1)
def vsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0)
def rollaxis(a, axis, start=0):
    a = array_of(a)
    axis = _axis(axis, ndim(a))
    start = start + ndim(a) if start < 0 else start
    return moveaxis(a, axis, start - 1 if start > axis else start)
def rot90(m, k=1, axes=None):
    m = array_of(m)
    i, j = (0, 1) if axes is None else _axes(axes, ndim(m))
    k = constant(k, "the number of turns") % 4
    if k == 0:
        return m
    if k == 2:
        return flip(m, (i, j))
    return swapaxes(flip(m, j), i, j) if k == 1 else flip(swapaxes(m, i, j), j)
def resize(a, new_shape):
    a = ravel(a)
    sizes = _shape(new_shape)
    count = _product(sizes)
    if len(a) == 0:
        return zeros(sizes, dtype_of(a))
    return with_shape(_cut(tile(a, -(-count // len(a))), 0, 0, 1, count), sizes)
