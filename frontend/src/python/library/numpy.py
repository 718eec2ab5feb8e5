# The part of NumPy and SciPy that is written in the language. What is not defined here are intrinsics.

def shape(a):
    return shape_of(a)
def ndim(a):
    return len(shape_of(a))
def size(a):
    return _product(shape_of(a))
def _dtype(a):
    return dtype_of(a)
def _product(sizes):
    n = 1
    for size in sizes:
        n = n * size
    return n
def array(object, dtype=None):
    a = array_of(object)
    if dtype is None:
        return a
    return as_type(a, dtype)
def _axis(axis, rank):
    if axis < -rank or axis >= rank:
        refuse("the array has no such axis")
    return axis + rank if axis < 0 else axis
def _axes(axis, rank):
    if axis is None:
        return tuple(range(rank))
    if is_tuple(axis):
        axes = ()
        for one in axis:
            axes = axes + (_axis(one, rank),)
        return axes
    return (_axis(axis, rank),)
def _among(i, axes):
    found = False
    for axis in axes:
        found = found or axis == i
    return found
def _reduced(sizes, axes):
    kept = ()
    for i in tuple(range(len(sizes))):
        kept = kept + (1 if _among(i, axes) else sizes[i],)
    return kept
def _left(sizes, axes):
    left = ()
    for i in tuple(range(len(sizes))):
        left = left if _among(i, axes) else left + (sizes[i],)
    return left
def sum(a, axis=None, keepdims=False):
    a = array_of(a)
    if dtype_of(a) == "bool":
        a = as_type(a, "int64")
    sizes = shape_of(a)
    axes = _axes(axis, len(sizes))
    s = sum_to(a, _reduced(sizes, axes))
    if keepdims:
        return s
    return with_shape(s, _left(sizes, axes))
def transpose(a, axes=None):
    a = array_of(a)
    rank = ndim(a)
    if rank == 0:
        return a
    if axes is None:
        return permute(a, tuple(reversed(tuple(range(rank)))))
    return permute(a, _axes(axes, rank))
def matmul(a, b):
    a = array_of(a)
    b = array_of(b)
    if ndim(a) == 0 or ndim(b) == 0:
        refuse("a matrix product of numbers")
    if ndim(a) == 1 and ndim(b) == 1:
        return sum(a * b)
    if ndim(a) == 1:
        return with_shape(matrix_product((with_shape(a, (1,) + shape(a)), b)), shape(b)[1:])
    if ndim(b) == 1:
        return with_shape(matrix_product((a, with_shape(b, shape(b) + (1,)))), shape(a)[:-1])
    return matrix_product((a, b))
def dot(a, b):
    return matmul(a, b)
