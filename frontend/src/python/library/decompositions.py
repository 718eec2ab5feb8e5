# Decompositions of matrices, by rotations and reflections. Those with a rule are differentiated by what they fulfil, and not step by step;
# a rule calls the decomposition again, so that it holds at every order. A row or column that is read is a value, as everywhere in the
# library, and no view: what is written later does not change it.

def _all_narrow_like(a, results):
    narrow = ()
    for one in results:
        narrow = narrow + (_narrow_like(a, one),)
    return narrow
def _any_matrices(a):
    a = as_type(array_of(a), "float64")
    return a if ndim(a) > 1 else refuse(("a matrix is needed, this is an array of shape ", shape_of(a)))
def _ruled(value, rule, *args):
    return gradus_custom_vjp(rule)(value)(*args)

# Of a symmetric matrix, of which the lower triangle is read: eigenvalues, the least first, and eigenvectors as columns.
def linalg_eigh(a, UPLO="L"):
    return _all_narrow_like(a, _of_each(_eigh, _lower(a, UPLO)))
def linalg_eigvalsh(a, UPLO="L"):
    return _narrow_like(a, _of_each(_eigvalsh, _lower(a, UPLO)))
# Matrices whose lower triangle is the one that is meant.
def _lower(a, triangle):
    m = _matrices(a)
    if triangle != "L" and triangle != "U":
        return refuse(("a matrix has no triangle ", triangle))
    return m if triangle == "L" else swapaxes(m, -1, -2)
def _eigh(a):
    return applied_ruled(_eigh_value, _eigh_back, _eigh_push, (_symmetric(a),))
def _eigvalsh(a):
    return _eigh(a)[0]
def _gaps(w):
    n = len(w)
    gaps = with_shape(w, (1, n)) - with_shape(w, (n, 1))
    return gaps, abs(gaps) <= 4e-15 * n * max(abs(w))
def _eigh_back(a):
    w, v = _eigh(a)
    gaps, equal = _gaps(w)
    def pullback(cotangent):
        dw, dv = shown(cotangent, (w, v))
        turned = 0.5 * _turning(transpose(v) @ dv, gaps, equal)
        return (no_captures(), given(v @ (diag(dw) + turned) @ transpose(v), a, "cotangent"))
    return ((w, v), pullback)
# Along a direction the vectors of equal values are those that the matrix has a little further on. So all that depends on the choice of
# such vectors in no way has its derivatives, also second ones by forward mode of a gradient. How these vectors turn is not counted.
def _eigh_push(own, a, da):
    w, v = _eigh(a)
    gaps, equal = _gaps(w)
    m = transpose(v) @ shown(da, a) @ v
    turn = _vectors_of_blocks(m, equal)
    v, m = v @ turn, transpose(turn) @ m @ turn
    tangents = (diagonal(m), v @ select(equal, 0.0, m / select(equal, 1.0, gaps)))
    return ((w, v), given(tangents, (w, v), "tangent"))
# Vectors that make the blocks of equal values in a symmetric matrix diagonal: those of the blocks alone, which are kept in their order.
def _vectors_of_blocks(m, equal):
    n = len(m)
    if sum(equal) == n:
        return eye(n)
    block = select(equal, m, 0.0)
    first = as_type(argmax(as_type(equal, "int64"), axis=1), "float64")
    return _eigh(block + diag(first) * (4.0 * n * stopped(max(abs(block)))))[1]
# How vectors turn into each other, by differences of their values. Vectors of equal values have no derivatives: where what looks at them
# sees them turn it is NaN, else, as in functions of the values, it is zero. That is linear, as rules are.
def _turning(m, gaps, equal):
    same = eye(len(m)) > 0.0
    seen = select(abs(m) >= 1e-12 * max(abs(m)), m, 0.0)
    unknown = strong_product(select(same, 0.0, seen), nan)
    return select(equal, unknown + transpose(unknown), (m - transpose(m)) / select(equal, 1.0, gaps))
# As LAPACK does it for small matrices, so that vectors have the signs that programs know: by reflections to three diagonals, and by
# implicit QL or QR steps from there, from the end with the greater element (`dsteqr`). Vectors are rows meanwhile.
def _eigh_value(a):
    n = len(a)
    scale = _scale_of(a)
    d, e, v = _tridiagonal(a / scale)
    first = 0
    while first < n:
        last = first
        while last < n - 1 and _is_left(e[last], d[last], d[last + 1]):
            last += 1
        d, e, v = _diagonalised(d, e, v, first, last)
        first = last + 1
    order = argsort(d)
    return scale * d[order], transpose(v[order])
# A power of two of the size of the greatest element: squares of what is divided by it, which loses no digit, neither overflow nor vanish.
def _scale_of(a):
    size = max(abs(a)) if len(ravel(a)) > 0 else 1.0
    return stopped(power(2.0, floor(log2(size)))) if size > 0.0 and size < inf else 1.0
def _tridiagonal(a):
    n = len(a)
    v = eye(n)
    rows = iota((n, 0))
    for i in range(n - 2):
        x = select(rows > i, a[:, i], 0.0)
        rest = select(rows > i + 1, x, 0.0)
        if sum(rest * rest) != 0.0:
            w = select(rows == i + 1, x + copysign(sqrt(sum(x * x)), x[i + 1]), x)
            scale = 2.0 / sum(w * w)
            p = scale * (a @ w)
            p = p - 0.5 * scale * (w @ p) * w
            a = a - outer(w, p) - outer(p, w)
            v = v - outer(scale * w, w @ v)
    return diagonal(a), concat((diagonal(a, -1), zeros(1)), 0), v
# Whether an element beside two of the diagonal changes their digits.
def _is_left(e, p, q):
    whole = sqrt(abs(p)) * sqrt(abs(q))
    return whole + abs(e) / 16.0 > whole if _have_more_digits() else abs(e) > 1.1102230246251565e-16 * whole
# The block from one element of the diagonal to another. Between the elements i and i + 1 is e[i].
def _diagonalised(d, e, v, first, last):
    at, end = (last, first) if abs(d[last]) < abs(d[first]) else (first, last)
    by = 1 if at <= end else -1
    rounds = 0
    while (end - at) * by >= 0 and rounds < 60 * (last - first + 1):
        m = at
        while m != end and _is_left(e[_smaller(m, m + by)], d[m], d[m + by]):
            m += by
        low = _smaller(at, at + by)
        if m == at:
            at += by
        elif m == at + by:
            greater, less, c, s = _eigenvalues_of_two(d[low], e[low], d[low + 1])
            v = _with_turned_rows(v, low, c, s)
            d[low] = greater
            d[low + 1] = less
            at += 2 * by
        else:
            g = (d[at + by] - d[at]) / (2.0 * e[low])
            g = d[m] - d[at] + e[low] / (g + copysign(hypot_of(g, 1.0), g))
            s, c, p = 1.0, 1.0, 0.0
            j = m
            while j != at:
                k = j - by
                i = _smaller(j, k)
                f = s * e[i]
                b = c * e[i]
                c, s, r = _rotation_of(g, f)
                if j != m:
                    e[_smaller(j, j + by)] = r
                g = d[j] - p
                r = (d[k] - g) * s + 2.0 * c * b
                p = s * r
                d[j] = g + p
                g = c * r - b
                v = _with_turned_rows(v, i, c, -by * s)
                j = k
            d[at] = d[at] - p
            e[low] = g
        rounds += 1
    return d, e, v
def _with_turned_rows(v, i, c, s):
    x = v[i]
    y = v[i + 1]
    v[i] = s * y + c * x
    v[i + 1] = c * y - s * x
    return v
# Those of (p r; r q), the greater in size first, and the cosine and sine of the vector of that.
def _eigenvalues_of_two(p, r, q):
    total, gap = p + q, p - q
    size = hypot_of(gap, 2.0 * r)
    greater = 0.5 * (total + (-size if total < 0.0 else size))
    large, small = (p, q) if abs(p) > abs(q) else (q, p)
    less = -0.5 * size if total == 0.0 else large / greater * small - r / greater * r
    cs = gap + (size if gap >= 0.0 else -size)
    if abs(cs) > abs(2.0 * r):
        t = -2.0 * r / cs
        s = 1.0 / sqrt(1.0 + t * t)
        c = t * s
    else:
        t = -cs / (2.0 * r) if r != 0.0 else 0.0
        c = 1.0 / sqrt(1.0 + t * t)
        s = t * c
    return (greater, less, -s, c) if (total < 0.0) == (gap < 0.0) else (greater, less, c, s)
# The cosine and sine that turn (f, g) into (r, 0), and r.
def _rotation_of(f, g):
    r = copysign(hypot_of(f, g), f)
    return (abs(f / r), g / r, r) if r != 0.0 else (1.0, 0.0, r)

# Householder's reflections, with LAPACK's signs.
def linalg_qr(a, mode="reduced"):
    m = _any_matrices(a)
    if mode == "reduced":
        return _all_narrow_like(a, _of_each(_qr, m))
    if mode == "r":
        return _narrow_like(a, _of_each(_qr, m)[1])
    return _all_narrow_like(a, _of_each(_reflected, m)) if mode == "complete" else refuse(("`qr` has no mode ", mode))
def _qr(a):
    m, n = shape_of(a)
    if m >= n:
        return _ruled(_qr_value, _qr_rule, a)
    q, r = _ruled(_qr_value, _qr_rule, a[:, :m])
    return q, concat((r, transpose(q) @ a[:, m:]), 1)
def _qr_value(a):
    n = shape_of(a)[1]
    q, r = _reflected(a)
    return q[:, :n], r[:n]
# Liao, Liu, Wang and Xiang, "Differentiable programming tensor networks", 2019.
def _qr_rule(y, a):
    q, r = _qr(a)
    def back(dy):
        inside = tril(r @ transpose(dy[1]) - transpose(dy[0]) @ q)
        both = inside + transpose(tril(inside, -1))
        return (transpose(linalg_solve(r, transpose(dy[0] + q @ both))),)
    return back
# Of all columns: an orthogonal matrix and a triangular one.
def _reflected(a):
    scale = _scale_of(a)
    q, r = _reflected_scaled(a / scale)
    return q, scale * r
def _reflected_scaled(a):
    m, n = shape_of(a)
    q = eye(m)
    rows = iota((m, 0))
    for j in range(_smaller(m - 1, n)):
        x = select(rows >= j, a[:, j], 0.0)
        rest = select(rows > j, x, 0.0)
        if sum(rest * rest) != 0.0:
            v = select(rows == j, x + copysign(sqrt(sum(x * x)), x[j]), x)
            scale = 2.0 / sum(v * v)
            a = a - outer(scale * v, v @ a)
            q = q - outer(q @ v, scale * v)
    return q, triu(a)

# Singular values, the greatest first, by rotations of columns (Hestenes 1958).
def linalg_svd(a, full_matrices=True, compute_uv=True):
    m = _any_matrices(a)
    if not constant(compute_uv, "`compute_uv`"):
        return _narrow_like(a, _of_each(_singular_values, m))
    return _all_narrow_like(a, _of_each(_full_svd if constant(full_matrices, "`full_matrices`") else _svd, m))
def linalg_svdvals(x):
    return linalg_svd(x, True, False)
def _full_svd(a):
    u, s, vt = _svd(a)
    return _completed(u), s, transpose(_completed(transpose(vt)))
# A matrix with orthonormal columns, and more of them until it is square.
def _completed(u):
    m, n = shape_of(u)
    return u if m == n else concat((u, _reflected(u)[0][:, n:]), 1)
def _svd(a):
    return applied_ruled(_svd_value, _svd_back, _svd_push, (a,))
def _singular_values(a):
    return _svd(a)[1]
def _svd_back(a):
    m, n = shape_of(a)
    u, s, vt = _svd(a)
    back = _tall_svd_back(transpose(vt), s, transpose(u)) if m < n else _tall_svd_back(u, s, vt)
    def pullback(cotangent):
        du, ds, dvt = shown(cotangent, (u, s, vt))
        da = transpose(back(transpose(dvt), ds, transpose(du))) if m < n else back(du, ds, dvt)
        return (no_captures(), given(da, a, "cotangent"))
    return ((u, s, vt), pullback)
# As that of `eigh`. Vectors of values that are zero turn each on its own.
def _svd_push(own, a, da):
    u, s, vt = _svd(a)
    n = len(s)
    scale = _scale_of(s)
    da = shown(da, a) / scale
    gaps, equal = _gaps(s / scale)
    row = with_shape(s / scale, (1, n))
    column = transpose(row)
    none = row <= 4e-15 * n * max(row)
    m = transpose(u) @ da @ transpose(vt)
    nothing = logical_and(none, transpose(none))
    blocks = logical_or(eye(n) > 0.0, logical_and(equal, logical_not(nothing)))
    turn = _vectors_of_blocks(0.5 * (m + transpose(m)), blocks)
    u, vt = u @ turn, transpose(turn) @ vt
    m = transpose(turn) @ m @ turn
    left, right = _vectors_of_nothing(m, nothing)
    u, vt = u @ left, right @ vt
    m = transpose(left) @ m @ transpose(right)
    other = transpose(m)
    half = select(nothing, 0.0, 0.5 * (m - other) / select(nothing, 1.0, row + column))
    gap = select(equal, 0.0, 0.5 * (m + other) / select(equal, 1.0, gaps))
    du = u @ (half + gap) + _outside(da @ transpose(vt) - u @ m, row, none)
    dv = transpose(vt) @ (gap - half) + _outside(transpose(da) @ u - transpose(vt) @ other, row, none)
    return ((u, s, vt), given((du, scale * diagonal(m), transpose(dv)), (u, s, vt), "tangent"))
def _vectors_of_nothing(m, nothing):
    n = len(m)
    if sum(nothing) <= 1:
        return eye(n), eye(n)
    block = select(nothing, m, 0.0)
    places = select(diagonal(nothing), 0.0, n - 1.0 * iota((n, 0)))
    u, _, vt = _svd(block + diag(places) * (4.0 * n * stopped(max(abs(block)))))
    return u, vt
# What is outside of the columns; of a square matrix there is nothing.
def _outside(rest, row, none):
    m, n = shape_of(rest)
    return select(none, strong_product(rest, nan), rest / select(none, 1.0, row)) if m > n else 0.0
def _tall_svd_back(u, s, vt):
    n = len(s)
    scale = _scale_of(s)
    row = with_shape(s / scale, (1, n))
    column = transpose(row)
    gaps, equal = _gaps(s / scale)
    gaps = gaps * (row + column)
    none = row <= 4e-15 * n * max(row)
    def back(du, ds, dvt):
        left = transpose(u) @ du
        right = vt @ transpose(dvt)
        turned = _turning(left, gaps, equal) * row + column * _turning(right, gaps, equal)
        return (u @ (diag(ds) + turned / scale) + _outside((du - u @ left) / scale, row, none)) @ vt
    return back

def linalg_pinv(a, rcond=None, *, rtol=None):
    m = _any_matrices(a)
    limit = 1e-15 if rcond is None and rtol is None else rtol if rcond is None else rcond
    return _narrow_like(a, _of_each(lambda one: _pinv(one, limit), m))
def _pinv(a, limit):
    return _ruled(_pinv_value, _pinv_rule, a, limit)
def _pinv_value(a, limit):
    u, s, vt = _svd(a)
    kept = s > limit * max(s)
    return transpose(select(kept, 1.0 / select(kept, s, 1.0), 0.0) * u @ vt)
# Golub and Pereyra 1973, for matrices of constant rank.
def _pinv_rule(y, a, limit):
    p = _pinv(a, limit)
    pt = transpose(p)
    m, n = shape_of(a)
    def back(dp):
        d = transpose(dp)
        return ((eye(m) - a @ p) @ d @ p @ pt + pt @ p @ d @ (eye(n) - p @ a) - pt @ dp @ pt, None)
    return back
# The least of the solutions that come nearest; its residuals are those of full rank.
def linalg_lstsq(a, b, rcond=None):
    a = _floats(a)
    b = _floats(b)
    if ndim(a) != 2 or ndim(b) < 1 or ndim(b) > 2 or len(a) != len(b):
        return refuse(("equations of shape ", shape_of(a), " with a right side of shape ", shape_of(b)))
    m, n = shape_of(a)
    s = _singular_values(as_type(a, "float64"))
    limit = 2.220446049250313e-16 * _larger(m, n) if rcond is None else rcond
    x = _pinv(as_type(a, "float64"), limit) @ b
    rest = b - a @ x
    residuals = atleast_1d(sum(_square_of_size(rest), 0)) if m > n else zeros((0,))
    return _narrow_like(b, x), _narrow_like(b, residuals), sum(s > limit * s[0]), _narrow_like(a, s)
def linalg_matrix_rank(A, tol=None):
    s = linalg_svd(A, True, False)
    m, n = shape_of(array_of(A))[-2:]
    step = 1.1920928955078125e-07 if dtype_of(array_of(A)) == "float32" else 2.220446049250313e-16
    limit = max(s, -1, keepdims=True) * (step * _larger(m, n)) if tol is None else tol
    return sum(s > limit, -1)
def linalg_cond(x, p=None):
    m = _any_matrices(x)
    if p is None or p == 2:
        s = linalg_svd(m, True, False)
        return _narrow_like(x, s[..., 0] / s[..., -1])
    return _narrow_like(x, linalg_norm(m, p, (-2, -1)) * linalg_norm(linalg_inv(m), p, (-2, -1)))
def linalg_multi_dot(arrays):
    product = array_of(arrays[0])
    for one in arrays[1:]:
        product = product @ one
    return product
