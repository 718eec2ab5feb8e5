# scipy.linalg, scipy.signal and scipy.integrate.

def scipy_linalg_cholesky(a, lower=False):
    factor = linalg_cholesky(a if constant(lower, "`lower`") else swapaxes(a, -1, -2))
    return factor if lower else swapaxes(factor, -1, -2)
def scipy_linalg_solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False):
    a = tril(a) if constant(lower, "`lower`") else triu(a)
    if constant(unit_diagonal, "`unit_diagonal`"):
        n = shape_of(a)[-1]
        a = select(eye(n) > 0.0, 1.0, a)
    trans = constant(trans, "`trans`")
    if trans == 2 or trans == "C":
        a = conj(a)
    return linalg_solve(a if trans == 0 or trans == "N" else swapaxes(a, -1, -2), b)
# Row u + i - j holds what is in row i of the matrix and column j.
def scipy_linalg_solve_banded(l_and_u, ab, b):
    below, above = constant(l_and_u, "the numbers of diagonals")
    ab = array_of(ab)
    if ndim(ab) != 2 or len(ab) != below + above + 1:
        return refuse((below + above + 1, " diagonals, in an array of shape ", shape_of(ab)))
    n = shape_of(ab)[1]
    columns = iota((n, n, 1))
    rows = above + iota((n, n, 0)) - columns
    inside = logical_and(rows >= 0, rows <= below + above)
    elements = gather(ravel(ab), select(inside, rows, 0) * n + columns)
    return linalg_solve(select(inside, elements, _typed(0, dtype_of(ab))), b)
# As equations in all elements at once.
def scipy_linalg_solve_sylvester(a, b, q):
    a, b, right = _matrices(a), _matrices(b), _any_matrices(q)
    m, n = len(a), len(b)
    if shape_of(right) != (m, n):
        return refuse(("a right side of shape ", shape_of(right), " for matrices of shapes ", shape_of(a), " and ", shape_of(b)))
    matrix = kron(a, eye(n)) + kron(eye(m), transpose(b))
    return _narrow_like(array_of(q), with_shape(linalg_solve(matrix, ravel(right)), (m, n)))
# The iteration of Denman and Beavers (1976); NaN if it does not converge, as where there is no real square root.
def scipy_linalg_sqrtm(A):
    return _narrow_like(array_of(A), _of_each(_sqrtm, _matrices(A)))
def _sqrtm(a):
    return _ruled(_sqrtm_value, _sqrtm_rule, a)
def _sqrtm_rule(y, a):
    root = conj(transpose(_sqrtm(a)))
    return lambda g: (scipy_linalg_solve_sylvester(root, root, g),)
def _sqrtm_value(a):
    scale = _scale_of(abs(a))
    return sqrt(scale) * _sqrtm_of_scaled(a / scale)
def _sqrtm_of_scaled(a):
    y, z = a, _typed(eye(len(a)), dtype_of(a))
    rounds = 0
    change = inf
    while change > 1e-15 and rounds < 100:
        inverse_y, inverse_z = linalg_inv(y), linalg_inv(z)
        before = y
        y, z = 0.5 * (y + inverse_z), 0.5 * (z + inverse_y)
        before_change, change = change, sum(abs(y - before)) / sum(abs(y))
        # Once it is near rounding it may swing.
        if change < 1e-12 and change >= before_change:
            change = 0.0
        rounds = rounds + 1
    return select(change > 1e-15, nan, y)

# Of several axes as of one: the rows are so long that nothing of one gets into the next.
def signal_convolve(in1, in2, mode="full"):
    a = array_of(in1)
    b = array_of(in2)
    rank = ndim(a)
    if rank != ndim(b) or rank == 0 or size(a) == 0 or size(b) == 0:
        return refuse(("a convolution of arrays of shapes ", shape_of(a), " and ", shape_of(b)))
    full = ()
    for m, n in zip(shape_of(a), shape_of(b)):
        full = full + (m + n - 1,)
    c = convolve(_with_long_rows(a, full), _with_long_rows(b, full))
    c = with_shape(_fitted(c, _product(full), 0), full)
    if mode == "full":
        return c
    for axis in _numbers(rank):
        m, n = shape_of(a)[axis], shape_of(b)[axis]
        if mode == "same":
            c = _cut(c, axis, (n - 1) // 2, 1, m)
        elif mode == "valid":
            c = _cut(c, axis, _smaller(m, n) - 1, 1, _larger(m, n) - _smaller(m, n) + 1)
        else:
            return refuse(("`convolve` has no mode ", mode))
    return c
def _with_long_rows(a, full):
    first = len(a)
    for axis in _numbers(ndim(a))[1:]:
        a = _fitted(a, full[axis], axis)
    return _fitted(ravel(a), first * _product(full[1:]), 0)

# By the method of Dormand and Prince (1980), whose steps have the length at which the error is as asked for. That length is a constant to
# derivatives, which need a length of their own: where the value stands still, or does not see an argument, they may not. Second derivatives
# are taken along steps that see the direction in which they are asked for.
def integrate_odeint(func, y0, t, args=(), *, rtol=1e-10, atol=1e-10):
    y = atleast_1d(_doubles(y0))
    t = _doubles(t)
    n = len(t)
    found = zeros((n,) + shape_of(y))
    found[0] = y
    for i in range(n - 1):
        y = _integrated(func, y, t[i], t[i + 1], args, rtol, atol)
        found[i + 1] = y
    return found
def _integrated(func, y, start, end, args, rtol, atol):
    return applied_ruled(_integrated_value, _integrated_back, _integrated_push, (func, y, start, end, args, rtol, atol))
def _integrated_value(func, y, start, end, args, rtol, atol):
    return _steps(func, y, start, end, args, rtol, atol, None)
def _integrated_along(direction):
    return lambda func, y, start, end, args, rtol, atol: _steps(func, y, start, end, args, rtol, atol, stopped(direction))
def _integrated_back(*x):
    found, back = pulled(_integrated_along(()), x)
    return (found, lambda cotangent: (no_captures(),) + _integral_gradient(back, x, cotangent))
def _integrated_push(own, func, y, start, end, args, rtol, atol, *tangents):
    return _integral_tangent((func, y, start, end, args, rtol, atol), tangents)
def _integral_gradient(back, x, cotangent):
    return applied_ruled(_integral_gradient_value, _integral_gradient_back, _integral_gradient_push, (back, x, cotangent))
def _integral_gradient_value(back, x, cotangent):
    return back(cotangent)[1:]
def _integral_gradient_along(direction):
    return lambda x, cotangent: pulled(_integrated_along(direction), x)[1](cotangent)[1:]
def _integral_gradient_back(back, x, cotangent):
    def pullback(turn):
        return (no_captures(), _nothing(back)) + pulled(_integral_gradient_along(turn[:1]), (x, cotangent))[1](turn)[1:]
    return (back(cotangent)[1:], pullback)
def _integral_gradient_push(own, back, x, cotangent, dback, dx, dcotangent):
    along = _integral_gradient_along(dx[:1])
    return pushed(along, _nothing(along), (x, cotangent), (dx, dcotangent))
def _integral_tangent(x, tangents):
    return applied_ruled(_integral_tangent_value, _integral_tangent_back, _integral_tangent_push, (x, tangents))
def _integral_tangent_value(x, tangents):
    return _integral_tangent_along(())(x, tangents)
def _integral_tangent_along(direction):
    along = _integrated_along(direction)
    return lambda x, tangents: pushed(along, _nothing(along), x, tangents)
def _integral_tangent_back(x, tangents):
    found, back = pulled(_integral_tangent_along(tangents[:1]), (x, tangents))
    return (found, lambda cotangent: (no_captures(),) + back(cotangent)[1:])
def _integral_tangent_push(own, x, tangents, dx, dtangents):
    along = _integral_tangent_along((summed(tangents[0], dx[0]),))
    return pushed(along, _nothing(along), (x, tangents), (dx, dtangents))
def _steps(func, y, start, end, args, rtol, atol, direction):
    span = end - start
    # The part of the way that is done, and that is to be done next; at most so many steps.
    at, step = 0.0, 0.125
    steps = 0
    while at < 1.0:
        if steps > 100000:
            raise ValueError("`odeint` needs too many steps")
        h = minimum(step, 1.0 - at)
        new, error = _step_of_dormand_and_prince(func, y, start + at * span, h * span, args)
        size = _size_of_error(error, y, new, rtol, atol)
        if direction is not None and size <= 1.0:
            size = maximum(size, _size_of_errors(func, y, start + at * span, h * span, args, rtol, atol, direction))
        if size <= 1.0:
            y = new
            at = 1.0 if h == 1.0 - at else at + h
        step = h * minimum(5.0, maximum(0.2, 0.9 * maximum(size, 1e-10) ** -0.2))
        steps = steps + 1
    return y
def _size_of_error(error, y, new, rtol, atol):
    return stopped(max(abs(error) / (atol + rtol * maximum(abs(y), abs(new)))))
# Of the first and the second derivative along one direction, in which all that a step reads changes. What a closure captures can be
# changed only by cotangents of it: the way on which the value changes most, and where a direction is known, that and the way on which
# the derivative along it changes most.
def _size_of_errors(func, y, t, h, args, rtol, atol, direction):
    func, y, t, h, args = stopped(func), stopped(y), stopped(t), stopped(h), stopped(args)
    step = lambda func, y, args: _step_of_dormand_and_prince(func, y, t, h, args)
    new = lambda func: sum(_some_of(y) * step(func, y, args)[0])
    captured = _ascent(new, func, 1.37)
    if len(direction) > 0:
        slope = lambda func: shown(pushed(new, _nothing(new), (func,), direction)[1], 1.0)
        captured = summed(captured, summed(direction[0], _ascent(slope, func, 0.71)))
    direction = (captured,) + given((_some_of(y), _some_of(args)), (y, args), "tangent")
    first = lambda func, y, args: pushed(step, _nothing(step), (func, y, args), direction)[1]
    by_first, by_second = pushed(first, _nothing(first), (func, y, args), direction)
    by_first, by_second = shown(by_first, (y, y)), shown(by_second, (y, y))
    return maximum(_size_of_error(by_first[1], 0.0, by_first[0], rtol, atol), _size_of_error(by_second[1], 0.0, by_second[0], rtol, atol))
# Of a length of its own, so that sums of such ways with a direction of length 1 do not vanish.
def _ascent(f, func, length):
    back = pulled(f, (func,))[1]
    square = shown(pushed(f, _nothing(f), (func,), back(1.0)[1:])[1], 1.0)
    return back(length / sqrt(square) if square > 0.0 else 0.0)[1]
# Numbers of size 1 for all floats of a tree.
def _some_of(x):
    if fields_of(x) is not None:
        return _each(_some_of, x)
    if isinstance(x, float):
        return 1.0
    return cos(1.0 + 0.7 * with_shape(arange(size(x)), shape_of(x))) if is_array(x) and _is_float(x) else None
def _step_of_dormand_and_prince(func, y, t, h, args):
    a = _slope(func, y, t, args)
    b = _slope(func, y + h * (a / 5.0), t + h / 5.0, args)
    c = _slope(func, y + h * (3.0 / 40.0 * a + 9.0 / 40.0 * b), t + 0.3 * h, args)
    d = _slope(func, y + h * (44.0 / 45.0 * a - 56.0 / 15.0 * b + 32.0 / 9.0 * c), t + 0.8 * h, args)
    e = _slope(func, y + h * (19372.0 / 6561.0 * a - 25360.0 / 2187.0 * b + 64448.0 / 6561.0 * c - 212.0 / 729.0 * d), t + 8.0 / 9.0 * h, args)
    f = _slope(func, y + h * (9017.0 / 3168.0 * a - 355.0 / 33.0 * b + 46732.0 / 5247.0 * c + 49.0 / 176.0 * d - 5103.0 / 18656.0 * e), t + h, args)
    new = y + h * (35.0 / 384.0 * a + 500.0 / 1113.0 * c + 125.0 / 192.0 * d - 2187.0 / 6784.0 * e + 11.0 / 84.0 * f)
    g = _slope(func, new, t + h, args)
    error = 71.0 / 57600.0 * a - 71.0 / 16695.0 * c + 71.0 / 1920.0 * d - 17253.0 / 339200.0 * e + 22.0 / 525.0 * f - g / 40.0
    return new, h * error
def _slope(func, y, t, args):
    return atleast_1d(_doubles(func(y, t, *args)))
