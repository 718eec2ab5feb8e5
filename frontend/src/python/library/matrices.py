# scipy.linalg: matrices that are made of vectors, factors of matrices, and functions of matrices.

def scipy_linalg_block_diag(*arrs):
    rows = ()
    before, width = 0, 0
    for one in arrs:
        width = width + shape_of(_block(one))[1]
    for one in arrs:
        m = _block(one)
        rows = rows + (pad(m, ((0, 0), (before, width - before - shape_of(m)[1]))),)
        before = before + shape_of(m)[1]
    return concat(rows, 0) if len(rows) > 0 else zeros((1, 0))
def _block(a):
    return atleast_2d(a) if ndim(a) < 3 else refuse(("a block is a matrix, this is an array of shape ", shape(a)))
# The element i, j is the one of a vector at the place that `place` says for i - j.
def scipy_linalg_toeplitz(c, r=None):
    c = ravel(c)
    r = conj(c) if r is None else ravel(r)
    m, n = len(c), len(r)
    return concat((flip(r[1:]), c), 0)[iota((m, n, 0)) - iota((m, n, 1)) + (n - 1)]
def scipy_linalg_circulant(c):
    c = ravel(c)
    n = len(c)
    return c[(iota((n, n, 0)) - iota((n, n, 1))) % n]
def scipy_linalg_hankel(c, r=None):
    c = ravel(c)
    r = zeros_like(c) if r is None else ravel(r)
    m, n = len(c), len(r)
    return concat((c, r[1:]), 0)[iota((m, n, 0)) + iota((m, n, 1))]
def scipy_linalg_hadamard(n, dtype="int64"):
    n = constant(n, "the size of a matrix")
    h = ones((1, 1), dtype)
    while len(h) < n:
        h = concat((concat((h, h), 1), concat((h, -h), 1)), 0)
    return h if len(h) == n else refuse(("the size of a matrix of Hadamard is a power of 2, this is ", n))
def scipy_linalg_hilbert(n):
    return 1.0 / (iota((n, n, 0)) + iota((n, n, 1)) + 1)
def scipy_linalg_companion(a):
    a = ravel(a)
    n = len(a) - 1
    return _narrow_like(a, concat((with_shape(-a[1:] / (1.0 * a[0]), (1, n)), eye(n)[:-1]), 0))
def scipy_linalg_leslie(f, s):
    return concat((with_shape(array_of(f), (1, len(f))), pad(diag(s), ((0, 0), (0, 1)))), 0)
def scipy_linalg_convolution_matrix(a, n, mode="full"):
    a = ravel(a)
    n = constant(n, "the number of columns")
    m = len(a)
    full = scipy_linalg_toeplitz(concat((a, zeros((n - 1,), dtype_of(a))), 0), pad(a[:1], (0, n - 1)))
    if mode == "full":
        return full
    if mode == "valid":
        return full[_smaller(m, n) - 1:_larger(m, n)]
    first = (_smaller(m, n) - 1) // 2
    return full[first:first + _larger(m, n)] if mode == "same" else refuse(("`convolution_matrix` has no mode ", mode))
def scipy_linalg_khatri_rao(a, b):
    a, b = array_of(a), array_of(b)
    m, k = shape_of(a)
    n = len(b)
    return with_shape(with_shape(a, (m, 1, k)) * with_shape(b, (1, n, k)), (m * n, k))
def scipy_linalg_issymmetric(a, atol=None, rtol=None):
    return _is_its_own(array_of(a), transpose(a), atol, rtol)
def scipy_linalg_ishermitian(a, atol=None, rtol=None):
    return _is_its_own(array_of(a), conj(transpose(a)), atol, rtol)
def _is_its_own(a, other, atol, rtol):
    if atol is None and rtol is None:
        return all(a == other)
    return allclose(a, other, 0.0 if rtol is None else rtol, 0.0 if atol is None else atol)

# What NumPy has with other arguments.
def scipy_linalg_eigh(a, b=None, lower=True, eigvals_only=False):
    a = array_of(a)
    a = a if constant(lower, "`lower`") else swapaxes(a, -1, -2)
    if b is None:
        return linalg_eigvalsh(a) if constant(eigvals_only, "`eigvals_only`") else linalg_eigh(a)
    factor = linalg_cholesky(b if lower else swapaxes(b, -1, -2))
    half = linalg_solve(factor, _symmetric(as_type(a, "float64")))
    whole = linalg_solve(factor, transpose(half))
    if constant(eigvals_only, "`eigvals_only`"):
        return linalg_eigvalsh(whole)
    w, v = linalg_eigh(whole)
    return w, linalg_solve(transpose(factor), v)
def scipy_linalg_eigvalsh(a, b=None, lower=True):
    return scipy_linalg_eigh(a, b, lower, True)
def scipy_linalg_eigh_tridiagonal(d, e, eigvals_only=False):
    a = diag(d) + diag(e, -1)
    return linalg_eigvalsh(a) if constant(eigvals_only, "`eigvals_only`") else linalg_eigh(a)
def scipy_linalg_eigvalsh_tridiagonal(d, e):
    return scipy_linalg_eigh_tridiagonal(d, e, True)
def scipy_linalg_svd(a, full_matrices=True, compute_uv=True):
    return linalg_svd(a, full_matrices, compute_uv)
def scipy_linalg_qr(a, *, mode="full", pivoting=False):
    if constant(pivoting, "`pivoting`"):
        return refuse("`qr` with `pivoting` is not supported")
    if mode == "r":
        return (linalg_qr(a, "complete")[1],)
    return linalg_qr(a, "complete" if mode == "full" else "reduced" if mode == "economic" else mode)
def scipy_linalg_lstsq(a, b, cond=None):
    return linalg_lstsq(a, b, cond)
def scipy_linalg_polar(a, side="right"):
    u, s, vt = linalg_svd(a, False)
    left, right = transpose(u) * with_shape(s, (len(s), 1)), with_shape(s, (len(s), 1)) * vt
    return u @ vt, transpose(vt) @ right if side == "right" else u @ left
def scipy_linalg_orthogonal_procrustes(A, B):
    u, s, vt = linalg_svd(transpose(transpose(B) @ array_of(A)), True)
    return u @ vt, sum(s)

# Rows are exchanged so that pivots are large. Which ones is a constant to derivatives.
def _eliminated(a):
    m, n = shape_of(a)
    rows, columns = iota((m, 0)), iota((n, 0))
    places, pivots = rows, iota((_smaller(m, n), 0))
    for k in range(_smaller(m, n)):
        pivot = argmax(select(rows >= k, abs(stopped(a[:, k])), -1.0))
        pivots[k] = pivot
        swap = select(rows == k, pivot, select(rows == pivot, k, rows))
        a, places = a[swap], places[swap]
        # A pivot is zero together with all below.
        none = a[k, k] == 0.0
        factors = select(rows > k, a[:, k] / select(none, 1.0, a[k, k]), 0.0)
        column = logical_and(with_shape(columns == k, (1, n)), with_shape(rows > k, (m, 1)))
        a = select(column, with_shape(factors, (m, 1)), a - outer(factors, select(columns > k, a[k], 0.0)))
    return a, places, pivots
def scipy_linalg_lu(a, permute_l=False, *, p_indices=False):
    p, lower, upper = _all_narrow_like(a, _of_each(_lu, _any_matrices(a)))
    if constant(permute_l, "`permute_l`"):
        return p @ lower, upper
    return argmax(p, -1) if constant(p_indices, "`p_indices`") else p, lower, upper
def _lu(a):
    m, n = shape_of(a)
    packed, places, _ = _eliminated(a)
    k = _smaller(m, n)
    return as_type(iota((m, m, 0)) == places, "float64"), tril(packed[:, :k], -1) + eye(m, k), triu(packed[:k])
def scipy_linalg_lu_factor(a):
    packed, _, pivots = _of_each(_eliminated, _any_matrices(a))
    return _narrow_like(a, packed), pivots
def scipy_linalg_lu_solve(lu_and_piv, b, trans=0):
    packed, pivots = lu_and_piv
    n = len(packed)
    lower, upper = tril(packed, -1) + eye(n), triu(packed)
    places = iota((n, 0))
    for k in range(n):
        places[k], places[pivots[k]] = places[pivots[k]], places[k]
    if constant(trans, "`trans`") == 0:
        return _narrow_like(packed, linalg_solve(upper, linalg_solve(lower, array_of(b)[places])))
    return _narrow_like(packed, linalg_solve(transpose(lower), linalg_solve(transpose(upper), b))[argsort(places)])
def scipy_linalg_cho_factor(a, lower=False):
    lower = constant(lower, "`lower`")
    return scipy_linalg_cholesky(a, lower), lower
def scipy_linalg_cho_solve(c_and_lower, b):
    c, lower = c_and_lower
    lower = constant(lower, "`lower`")
    factor = tril(c) if lower else swapaxes(triu(c), -1, -2)
    return linalg_solve(swapaxes(factor, -1, -2), linalg_solve(factor, b))
def scipy_linalg_solve_toeplitz(c_or_cr, b):
    c, r = c_or_cr if is_tuple(c_or_cr) and not isinstance(c_or_cr[0], (int, float)) else (c_or_cr, None)
    return linalg_solve(scipy_linalg_toeplitz(c, r), b)
def scipy_linalg_matmul_toeplitz(c_or_cr, x):
    c, r = c_or_cr if is_tuple(c_or_cr) and not isinstance(c_or_cr[0], (int, float)) else (c_or_cr, None)
    return scipy_linalg_toeplitz(c, r) @ x
def scipy_linalg_solve_circulant(c, b):
    return linalg_solve(scipy_linalg_circulant(c), b)
def scipy_linalg_solve_continuous_lyapunov(a, q):
    return scipy_linalg_solve_sylvester(a, conj(transpose(a)), q)
def scipy_linalg_solve_lyapunov(a, q):
    return scipy_linalg_solve_continuous_lyapunov(a, q)
# As equations in all elements at once.
def scipy_linalg_solve_discrete_lyapunov(a, q):
    a, right = _matrices(a), _matrices(q)
    n = len(a)
    return _narrow_like(q, with_shape(linalg_solve(eye(n * n) - kron(a, conj(a)), ravel(right)), (n, n)))

# Functions of matrices. A derivative is a block of the function of a matrix of twice the size, (a, e; 0, a), whose lower left block is
# zero (Mathias 1996). That is linear in e, which is made as large as a.
def _of_matrix(function, a):
    return _ruled(_of_matrix_value, _of_matrix_rule, function, a)
def _of_matrix_value(function, a):
    return function(a)
def _of_matrix_rule(y, function, a):
    return lambda g: (None, _frechet(function, conj(transpose(a)), g))
def _frechet(function, a, e):
    n = len(a)
    size = stopped(max(abs(e)))
    size = select(logical_and(size > 0.0, size < inf), size, 1.0) / select(max(abs(stopped(a))) > 0.0, max(abs(stopped(a))), 1.0)
    return size * _of_matrix(function, _upper_blocks(a, e / size))[:n, n:]
def _upper_blocks(a, e):
    return concat((concat((a, e), 1), concat((zeros_like(a), a), 1)), 0)
# By the approximation of Pade of degree 13, of the matrix divided by a power of 2, and squares (Higham 2005).
def scipy_linalg_expm(A):
    return _narrow_like(A, _of_each(_expm, _matrices(A)))
def _expm(a):
    return a if len(a) == 0 else _of_matrix(_expm_value, a)
def _expm_value(a):
    norm = max(sum(abs(a), 0))
    squares = 0
    while norm > 5.37 and norm < inf:
        norm, squares = 0.5 * norm, squares + 1
    a = ldexp(1.0, -squares) * a
    n = len(a)
    unit = _typed(eye(n), dtype_of(a))
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a4 @ a2
    odd = a6 @ (a6 + 16380.0 * a4 + 40840800.0 * a2) + 33522128640.0 * a6 + 10559470521600.0 * a4 + 1187353796428800.0 * a2
    odd = a @ (odd + 32382376266240000.0 * unit)
    even = a6 @ (182.0 * a6 + 960960.0 * a4 + 1323241920.0 * a2) + 670442572800.0 * a6 + 129060195264000.0 * a4
    even = even + 7771770303897600.0 * a2 + 64764752532480000.0 * unit
    y = linalg_solve(even - odd, even + odd)
    for _ in range(squares):
        y = y @ y
    return y
def scipy_linalg_expm_frechet(A, E, method=None, compute_expm=True):
    a = _matrices(A)
    slope = _narrow_like(A, _frechet(_expm_value, a, _matrices(E)))
    return (scipy_linalg_expm(A), slope) if constant(compute_expm, "`compute_expm`") else slope
# By square roots until the matrix is near to that of ones, and the quotients that are an approximation of Pade (Higham 2001). NaN where there
# is no real logarithm.
def scipy_linalg_logm(A):
    return _of_each(_logm, _matrices(A))
def _logm(a):
    return a if len(a) == 0 else _of_matrix(_logm_value, a)
def _logm_value(a):
    n = len(a)
    unit = _typed(eye(n), dtype_of(a))
    roots = 0
    while max(sum(abs(a - unit), 0)) > 0.25 and roots < 100:
        a, roots = _sqrtm_value(a), roots + 1
    x = a - unit
    y = 0.0 * x
    for node, weight in ((0.01985507175123188, 0.05061426814518813), (0.10166676129318664, 0.11119051722668724),
            (0.2372337950418355, 0.15685332293894364), (0.4082826787521751, 0.18134189168918100), (0.5917173212478249, 0.18134189168918100),
            (0.7627662049581645, 0.15685332293894364), (0.8983332387068134, 0.11119051722668724), (0.9801449282487681, 0.05061426814518813)):
        y = y + weight * linalg_solve(unit + node * x, x)
    return ldexp(1.0, roots) * y
def scipy_linalg_fractional_matrix_power(A, t):
    return scipy_linalg_expm(t * scipy_linalg_logm(A)) if isinstance(t, float) else linalg_matrix_power(A, t)
# The exponential of (0, -a; a, 0) has the cosine and the sine of a.
def scipy_linalg_cosm(A):
    return _narrow_like(A, _of_each(lambda a: _cosine_and_sine(a)[0], _matrices(A)))
def scipy_linalg_sinm(A):
    return _narrow_like(A, _of_each(lambda a: _cosine_and_sine(a)[1], _matrices(A)))
def scipy_linalg_tanm(A):
    return _narrow_like(A, _of_each(_tanm, _matrices(A)))
def _tanm(a):
    c, s = _cosine_and_sine(a)
    return linalg_solve(c, s)
def _cosine_and_sine(a):
    n = len(a)
    turned = _expm(concat((concat((zeros_like(a), -a), 1), concat((a, zeros_like(a)), 1)), 0))
    return turned[:n, :n], turned[n:, :n]
def scipy_linalg_coshm(A):
    return 0.5 * (scipy_linalg_expm(A) + scipy_linalg_expm(-array_of(A)))
def scipy_linalg_sinhm(A):
    return 0.5 * (scipy_linalg_expm(A) - scipy_linalg_expm(-array_of(A)))
def scipy_linalg_tanhm(A):
    return linalg_solve(scipy_linalg_coshm(A), scipy_linalg_sinhm(A))
