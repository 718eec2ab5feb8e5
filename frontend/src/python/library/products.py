# Products of matrices and vectors, and diagonals.

def matmul(a, b):
    if is_tuple(a) or is_tuple(b):
        return matmul(array_of(a), array_of(b))
    if defines(a, "__matmul__"):
        return a.__matmul__(b)
    if defines(b, "__rmatmul__"):
        return b.__rmatmul__(a)
    m = shape_of(a)
    n = shape_of(b)
    if len(m) == 0 or len(n) == 0:
        return refuse(("a matrix product of arrays of shapes ", m, " and ", n))
    if m[-1] != (n[-2] if len(n) > 1 else n[0]):
        return refuse(("a matrix product of arrays of shapes ", m, " and ", n, ", which do not fit"))
    if dtype_of(a) == "bool" and dtype_of(b) == "bool":
        return as_type(matmul(as_type(a, "int64"), b), "bool")
    if len(m) == 1 and len(n) == 1:
        return sum(a * b)
    if len(m) == 1:
        return with_shape(matmul(with_shape(a, (1,) + m), b), n[:-2] + n[-1:])
    if len(n) == 1:
        return with_shape(matmul(a, with_shape(b, n + (1,))), m[:-1])
    outer = _joined(m[:-2], n[:-2])
    return matrix_product(broadcast(a, outer + m[-2:]), broadcast(b, outer + n[-2:]))
def dot(a, b):
    if ndim(a) == 0 or ndim(b) == 0:
        return array_of(a) * array_of(b)
    if ndim(b) < 3 and ndim(a) < 3:
        return matmul(a, b)
    return tensordot(a, b, (-1, -1 if ndim(b) == 1 else -2))
def vdot(a, b):
    return matmul(conj(ravel(a)), ravel(b))
def inner(a, b):
    if ndim(a) == 0 or ndim(b) == 0:
        return array_of(a) * array_of(b)
    return matmul(a, b) if ndim(a) == 1 and ndim(b) == 1 else tensordot(a, b, (-1, -1))
# Along the last axes.
def vecdot(x1, x2, axis=-1):
    return sum(conj(moveaxis(x1, axis, -1)) * moveaxis(x2, axis, -1), -1)
def matvec(x1, x2):
    return squeeze(matmul(array_of(x1), expand_dims(x2, -1)), -1)
def vecmat(x1, x2):
    return squeeze(matmul(expand_dims(conj(x1), -2), array_of(x2)), -2)
def matrix_transpose(x):
    return swapaxes(x, -1, -2)
def outer(a, b):
    return with_shape(array_of(a), (size(a), 1)) * with_shape(array_of(b), (1, size(b)))
def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        return cross(a, b, axis, axis, axis)
    c = _cross(moveaxis(a, axisa, -1), moveaxis(b, axisb, -1))
    return c if ndim(c) == 0 or shape_of(c)[-1] != 3 or constant(axisc, "the axis") == -1 else moveaxis(c, -1, axisc)
def _cross(a, b):
    if shape_of(a)[-1:] == (2,) and shape_of(b)[-1:] == (2,):
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    if shape_of(a)[-1:] != (3,) or shape_of(b)[-1:] != (3,):
        return refuse(("the cross product of arrays of shapes ", shape_of(a), " and ", shape_of(b), ", not of vectors in space"))
    return roll(a, -1, -1) * roll(b, -2, -1) - roll(a, -2, -1) * roll(b, -1, -1)
def convolve(a, v, mode="full"):
    a = array_of(a)
    v = array_of(v)
    if ndim(a) != 1 or ndim(v) != 1 or len(a) == 0 or len(v) == 0:
        return refuse(("a convolution of arrays of shapes ", shape_of(a), " and ", shape_of(v)))
    if len(v) > len(a):
        return convolve(v, a, mode)
    n = len(v)
    if mode == "full":
        a = pad(a, n - 1)
    elif mode == "same":
        a = pad(a, (n // 2, n - 1 - n // 2))
    elif mode != "valid":
        return refuse(("`convolve` has no mode ", mode))
    windows = iota((len(a) - n + 1, n, 0)) + iota((len(a) - n + 1, n, 1))
    return a[windows] @ flip(v)
def polyval(p, x):
    p = array_of(p)
    x = array_of(x)
    y = x * 0
    for c in p:
        y = y * x + c
    return y
def tensordot(a, b, axes=2):
    a = array_of(a)
    b = array_of(b)
    m = shape_of(a)
    n = shape_of(b)
    axes = constant(axes, "the axes")
    if is_tuple(axes):
        left = _axes(axes[0], len(m))
        right = _axes(axes[1], len(n))
    else:
        left = _numbers(len(m))[len(m) - axes:]
        right = _numbers(len(n))[:axes]
    if _picked(m, left) != _picked(n, right):
        return refuse(("axes ", left, " and ", right, " of arrays of shapes ", m, " and ", n, " differ in length"))
    rows = _others(len(m), left)
    columns = _others(len(n), right)
    k = _product(_picked(m, left))
    p = _picked(m, rows)
    q = _picked(n, columns)
    a = with_shape(_permuted(a, rows + left), (_product(p), k))
    b = with_shape(_permuted(b, right + columns), (k, _product(q)))
    return with_shape(matrix_product(a, b), p + q)
def kron(a, b):
    a = array_of(a)
    b = array_of(b)
    rank = _larger(ndim(a), ndim(b))
    p = ()
    q = ()
    sizes = ()
    for m, n in zip((1,) * (rank - ndim(a)) + shape_of(a), (1,) * (rank - ndim(b)) + shape_of(b)):
        p = p + (m, 1)
        q = q + (1, n)
        sizes = sizes + (m * n,)
    return with_shape(with_shape(a, p) * with_shape(b, q), sizes)

# Operands are multiplied from the left to the right. A label that no later operand and not the result has is summed over at once.
def einsum(subscripts_, *operands, optimize=False):
    labels = subscripts(subscripts_, tuple([ndim(one) for one in operands]))
    result = labels[-1]
    # Sums that are scalars on the way have no type of their own.
    dtype = _common_dtype(operands)
    long = _long_labels(operands, labels)
    a, p = _labelled(_typed(array_of(operands[0]), dtype), labels[0], long)
    for i, b in enumerate(operands[1:]):
        b, q = _labelled(_typed(array_of(b), dtype), labels[i + 1], long)
        later = result
        for more in labels[i + 2:-1]:
            later = later + more
        a = _sum_over(a, p, later + q)
        p = _common(p, later + q)
        b = _sum_over(b, q, later + p)
        q = _common(q, later + p)
        a = _contracted(a, p, b, q, later)
        p = _result_labels(p, q, later)
    a = _sum_over(a, p, result)
    return _typed(_permuted(a, _places_of(result, _common(p, result))), dtype)
def _common_dtype(arrays):
    parts = ()
    for a in arrays:
        parts = parts + (zeros((0,), dtype_of(array_of(a))),)
    return dtype_of(concat(parts, 0))
# An axis of length 1 is left out where another one with its label is longer: it stands for all of them.
def _labelled(a, labels, long):
    if ndim(a) != len(labels):
        return refuse((len(labels), " labels for the axes of an array of shape ", shape_of(a)))
    a, labels = _diagonals(a, labels), _distinct(labels)
    axes = ()
    for axis, label in enumerate(labels):
        axes = axes + (axis,) if shape_of(a)[axis] == 1 and label in long else axes
    return squeeze(a, axes), _picked(labels, _others(len(labels), axes))
def _long_labels(arrays, labels):
    long = ()
    for i, a in enumerate(arrays):
        for n, label in zip(shape(a), labels[i]):
            long = long + (label,) if n != 1 else long
    return long
def _distinct(labels):
    distinct = ()
    for label in labels:
        distinct = distinct if _among(label, distinct) else distinct + (label,)
    return distinct
def _common(labels, others):
    common = ()
    for label in labels:
        common = common + (label,) if _among(label, others) else common
    return common
def _without(labels, others):
    rest = ()
    for label in labels:
        rest = rest if _among(label, others) else rest + (label,)
    return rest
def _places_of(labels, among):
    places = ()
    for label in labels:
        places = places + (_place_of(label, among),)
    return places
# Axes that have one label as one axis, at the place of the first of them.
def _diagonals(a, labels):
    for j, label in enumerate(labels):
        i = _place_of(label, labels)
        if i != j:
            a = moveaxis(diagonal(a, 0, i, j), -1, i)
            return _diagonals(a, labels[:j] + labels[j + 1:])
    return a
def _sum_over(a, labels, kept):
    axes = _places_of(_without(labels, kept), labels)
    return a if len(axes) == 0 else sum(a, axes)
def _result_labels(p, q, later):
    both = _common(_common(p, q), later)
    return both + _without(p, q) + _without(q, p)
def _contracted(a, p, b, q, later):
    common = _common(p, q)
    for label in common:
        m = shape_of(a)[_place_of(label, p)]
        n = shape_of(b)[_place_of(label, q)]
        if m != n:
            return refuse(("arrays of shapes ", shape_of(a), " and ", shape_of(b), " differ where they have one label"))
    both = _common(common, later)
    inside = _without(common, later)
    rows = _places_of(_without(p, q), p)
    columns = _places_of(_without(q, p), q)
    sizes = _picked(shape_of(a), _places_of(both, p))
    m = _picked(shape_of(a), rows)
    n = _picked(shape_of(b), columns)
    k = _product(_picked(shape_of(a), _places_of(inside, p)))
    a = _permuted(a, _places_of(both, p) + rows + _places_of(inside, p))
    b = _permuted(b, _places_of(both, q) + _places_of(inside, q) + columns)
    if len(inside) == 0:
        return with_shape(a, sizes + m + (1,) * len(n)) * with_shape(b, sizes + (1,) * len(m) + n)
    a = with_shape(a, (_product(sizes), _product(m), k))
    b = with_shape(b, (_product(sizes), k, _product(n)))
    return with_shape(matmul(a, b) if len(both) > 0 else matmul(a[0], b[0]), sizes + m + n)

def diagonal(a, offset=0, axis1=0, axis2=1):
    a = array_of(a)
    if ndim(a) < 2:
        return refuse(("an array of shape ", shape_of(a), " has no diagonal"))
    a = moveaxis(a, (axis1, axis2), (-2, -1))
    sizes = shape_of(a)
    flat = with_shape(a, sizes[:-2] + (sizes[-2] * sizes[-1],))
    return _cut(flat, ndim(flat) - 1, _diagonal_start(sizes, offset), sizes[-1] + 1, _diagonal_length(sizes, offset))
def _diagonal_start(sizes, k):
    k = constant(k, "the number of a diagonal")
    return k if k >= 0 else -k * sizes[-1]
def _diagonal_length(sizes, k):
    return _larger(_smaller(sizes[-2] + _smaller(k, 0), sizes[-1] - _larger(k, 0)), 0)
def trace(a, offset=0, axis1=0, axis2=1):
    return sum(diagonal(a, offset, axis1, axis2), -1)
def diag(v, k=0):
    v = array_of(v)
    if ndim(v) != 1:
        return diagonal(v, k) if ndim(v) == 2 else refuse(("an array of shape ", shape_of(v), " has no diagonal"))
    n = len(v) + _larger(k, -k)
    flat = zeros((n * n,), dtype_of(v))
    return with_shape(flat if len(v) == 0 else place(flat, v, (_diagonal_start((n, n), k), n + 1, len(v))), (n, n))
def diagflat(v, k=0):
    return diag(ravel(v), k)
def correlate(a, v, mode="valid"):
    a = array_of(a)
    v = conj(v)
    if ndim(a) != 1 or ndim(v) != 1 or len(a) == 0 or len(v) == 0:
        return refuse(("a correlation of arrays of shapes ", shape_of(a), " and ", shape_of(v)))
    return flip(convolve(v, flip(a), mode)) if len(v) > len(a) else convolve(a, flip(v), mode)

# Polynomials, whose coefficients begin with that of the highest power.
def polyadd(a1, a2):
    a1 = atleast_1d(a1)
    a2 = atleast_1d(a2)
    n = _larger(len(a1), len(a2))
    return pad(a1, (n - len(a1), 0)) + pad(a2, (n - len(a2), 0))
def polysub(a1, a2):
    return polyadd(a1, -atleast_1d(a2))
def polymul(a1, a2):
    return convolve(atleast_1d(a1), atleast_1d(a2))
def polyder(p, m=1):
    p = atleast_1d(p)
    for _ in _numbers(constant(m, "the order of a derivative")):
        n = len(p) - 1
        p = _cut(p, 0, 0, 1, n) * (n - iota((n, 0)))
    return p
def polyint(p, m=1, k=0.0):
    p = atleast_1d(p) * 1.0
    for i in _numbers(constant(m, "the order of an integral")):
        n = len(p)
        p = concat((p / (n - iota((n, 0))), atleast_1d(k if ndim(k) == 0 else k[i]) * 1.0), 0)
    return p
def polyfit(x, y, deg, w=None):
    x = _floats(x)
    y = _floats(y)
    powers = vander(x, constant(deg, "the degree") + 1)
    if w is not None:
        w = array_of(w)
        powers = powers * with_shape(w, (len(x), 1))
        y = y * (w if ndim(y) == 1 else with_shape(w, (len(x), 1)))
    scale = sqrt(sum(powers * powers, 0))
    solved = linalg_lstsq(powers / scale, y)[0]
    return solved / (scale if ndim(y) == 1 else with_shape(scale, (len(scale), 1)))
