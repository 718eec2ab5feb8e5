# numpy.linalg. Stacks of matrices are taken apart. Floats of 32 bits are widened, and what is made of them alone is narrowed.

def _matrices(a):
    a = as_type(array_of(a), "float64")
    sizes = shape_of(a)
    if len(sizes) < 2 or sizes[-1] != sizes[-2]:
        return refuse(("a square matrix is needed, this is an array of shape ", sizes))
    return a
# A function of a matrix, with one result or several, on each matrix of a stack.
def _of_each(function, a):
    if ndim(a) == 2:
        return function(a)
    results = ()
    for one in _arrays(a):
        results = results + (_of_each(function, one),)
    if len(results) == 0 or not is_tuple(results[0]):
        return stack(results)
    stacks = ()
    for i in _numbers(len(results[0])):
        parts = ()
        for one in results:
            parts = parts + (one[i],)
        stacks = stacks + (stack(parts),)
    return stacks
# The symmetric matrix of which the lower triangle says all.
def _symmetric(a):
    n = len(a)
    return select(iota((n, n, 0)) >= iota((n, n, 1)), a, transpose(a))

def linalg_det(a):
    return _narrow_like(a, _of_each(_det, _matrices(a)))
# Small ones as polynomials, which have their derivatives at singular matrices, too. Those of larger ones are NaN there.
def _det(a):
    n = len(a)
    if n == 0:
        return 1.0
    if n == 1:
        return a[0, 0]
    if n == 2:
        return a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
    if n == 3:
        x = a[1, 1] * a[2, 2] - a[1, 2] * a[2, 1]
        y = a[1, 2] * a[2, 0] - a[1, 0] * a[2, 2]
        z = a[1, 0] * a[2, 1] - a[1, 1] * a[2, 0]
        return a[0, 0] * x + a[0, 1] * y + a[0, 2] * z
    if n == 4:
        return _det_by_minors(a)
    return sign_of_det(a) * exp(logarithm_of_det(a))
# The minors of the upper two rows with those of the lower two.
def _det_by_minors(a):
    total = 0.0
    for j, k, l, m, sign in ((0, 1, 2, 3, 1.0), (0, 2, 1, 3, -1.0), (0, 3, 1, 2, 1.0), (1, 2, 0, 3, 1.0), (1, 3, 0, 2, -1.0), (2, 3, 0, 1, 1.0)):
        upper = a[0, j] * a[1, k] - a[0, k] * a[1, j]
        lower = a[2, l] * a[3, m] - a[2, m] * a[3, l]
        total = total + sign * upper * lower
    return total
def linalg_slogdet(a):
    m = _matrices(a)
    return _narrow_like(a, _of_each(_sign_of_det, m)), _narrow_like(a, _of_each(_logarithm_of_det, m))
def _sign_of_det(a):
    return 1.0 if len(a) == 0 else sign_of_det(a)
def _logarithm_of_det(a):
    return 0.0 if len(a) == 0 else logarithm_of_det(a)
def linalg_inv(a):
    return _narrow_like(a, _of_each(_inv, _matrices(a)))
def _inv(a):
    return a if len(a) == 0 else solution(a, eye(len(a)))
def linalg_solve(a, b):
    x = _solutions(_matrices(a), as_type(array_of(b), "float64"))
    return _narrow_like(a, x) if dtype_of(array_of(b)) == "float32" else x
def _solutions(a, b):
    n = shape_of(a)[-1]
    if ndim(b) == 0 or n != (shape_of(b)[0] if ndim(b) == 1 else shape_of(b)[-2]):
        return refuse(("equations of shape ", shape_of(a), " with a right side of shape ", shape_of(b)))
    if ndim(a) == 2 and ndim(b) == 1:
        return with_shape(_solve(a, with_shape(b, (n, 1))), (n,))
    if ndim(b) == 1:
        return with_shape(_solutions(a, with_shape(b, (n, 1))), shape_of(a)[:-1])
    if ndim(a) == 2 and ndim(b) == 2:
        return _solve(a, b)
    outer = _joined(shape_of(a)[:-2], shape_of(b)[:-2])
    a = broadcast(a, outer + shape_of(a)[-2:])
    b = broadcast(b, outer + shape_of(b)[-2:])
    results = ()
    for i in _numbers(outer[0]):
        results = results + (_solutions(a[i], b[i]),)
    return stack(results)
def _solve(a, b):
    return b if size(b) == 0 else solution(a, b)
def linalg_cholesky(a):
    return _narrow_like(a, _of_each(_cholesky, _matrices(a)))
# Derivatives are of what the lower triangle says, too.
def _cholesky(a):
    return a if len(a) == 0 else cholesky_of(_symmetric(a))

def linalg_matrix_power(a, n):
    a = array_of(a)
    n = constant(n, "the power of a matrix")
    if n < 0:
        return linalg_matrix_power(linalg_inv(a), -n)
    if n == 0:
        return broadcast(eye(shape_of(a)[-1], None, 0, dtype_of(a)), shape_of(a))
    if n == 1:
        return a
    half = linalg_matrix_power(a, n // 2)
    return half @ half if n % 2 == 0 else half @ half @ a

def linalg_norm(x, ord=None, axis=None, keepdims=False):
    x = array_of(x)
    x = abs(x) if isinstance(x, complex) else _floats(x)
    return _narrow_like(x, _norm(x, ord, _axes(axis, ndim(x)), keepdims))
def _norm(x, ord, axes, keepdims):
    if ord is None:
        return _root(sum(x * x, axes, keepdims=keepdims))
    if len(axes) == 1:
        return _vector_norm(x, ord, axes, keepdims)
    if len(axes) == 2:
        return _matrix_norm(x, ord, axes, keepdims)
    return refuse(("the norm of an array of shape ", shape_of(x), " needs an axis or two"))
def _vector_norm(x, ord, axes, keepdims):
    if ord == "fro" or ord == "nuc":
        return refuse(("a vector has no norm ", ord))
    size = abs(x)
    # Which norm an integer means is known here; infinities are floats, which are not.
    if dtype_of(ord) == "float64":
        p = _power_of_sum(sum(size ** ord, axes, keepdims=keepdims), 1.0 / ord)
        p = select(ord == -inf, min(size, axes, keepdims=keepdims), p)
        return select(ord == inf, max(size, axes, keepdims=keepdims), p)
    ord = constant(ord, "the kind of a norm")
    if ord == 0:
        return sum(as_type(x != 0.0, dtype_of(x)), axes, keepdims=keepdims)
    if ord == 1:
        return sum(size, axes, keepdims=keepdims)
    if ord == 2:
        return _root(sum(x * x, axes, keepdims=keepdims))
    return _power_of_sum(sum(size ** ord, axes, keepdims=keepdims), 1.0 / ord)
def _power_of_sum(total, by):
    none = total == 0.0
    return select(none, 0.0, select(none, 1.0, total) ** by)
def _matrix_norm(x, ord, axes, keepdims):
    rows = axes[0]
    columns = axes[1]
    if ord == "fro":
        return _root(sum(x * x, axes, keepdims=keepdims))
    if ord == "nuc":
        return refuse("the nuclear norm is not supported")
    # NaN for floats that are no infinities.
    if dtype_of(ord) == "float64":
        sums = sum(abs(x), columns, keepdims=True)
        least = select(ord == -inf, min(sums, rows, keepdims=True), nan)
        return _kept(select(ord == inf, max(sums, rows, keepdims=True), least), axes, keepdims)
    ord = constant(ord, "the kind of a norm")
    if ord == 1 or ord == -1:
        sums = sum(abs(x), rows, keepdims=True)
        return _kept(max(sums, columns, keepdims=True) if ord == 1 else min(sums, columns, keepdims=True), axes, keepdims)
    return refuse(("the norm ", ord, " of a matrix is not supported"))

# Names of the array standard. Those of matrices are along the last two axes.
def linalg_vector_norm(x, *, axis=None, keepdims=False, ord=2):
    x = array_of(x)
    if axis is None:
        flat = linalg_norm(ravel(x), ord, 0)
        return with_shape(flat, (1,) * ndim(x)) if constant(keepdims, "`keepdims`") else flat
    axes = _axes(axis, ndim(x))
    if len(axes) == 1:
        return linalg_norm(x, ord, axes, keepdims)
    rows = linalg_norm(_in_front(x, axes), ord, 0)
    return _kept(with_shape(rows, _reduced(shape_of(x), axes)), axes, keepdims)
def linalg_matrix_norm(x, *, keepdims=False, ord="fro"):
    return linalg_norm(x, ord, (-2, -1), keepdims)
def linalg_diagonal(x, *, offset=0):
    return diagonal(x, offset, -2, -1)
def linalg_trace(x, *, offset=0):
    return trace(x, offset, -2, -1)
def linalg_cross(x1, x2, *, axis=-1):
    return cross(x1, x2, axis=axis)
def linalg_tensorsolve(a, b, axes=None):
    a, b = array_of(a), array_of(b)
    if axes is not None:
        axes = _axes(axes, ndim(a))
        a = _permuted(a, _others(ndim(a), axes) + axes)
    sizes = shape_of(a)[ndim(b):]
    n = size(b)
    if _product(sizes) != n:
        return refuse(("equations of shape ", shape_of(a), " with a right side of shape ", shape_of(b)))
    return with_shape(linalg_solve(with_shape(a, (n, n)), ravel(b)), sizes)
def linalg_tensorinv(a, ind=2):
    a = array_of(a)
    sizes = shape_of(a)
    n = _product(sizes[:ind])
    return with_shape(linalg_inv(with_shape(a, (n, n))), sizes[ind:] + sizes[:ind])
