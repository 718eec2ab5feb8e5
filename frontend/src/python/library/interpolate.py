# scipy.interpolate. Interpolants are records of arrays, so derivatives with respect to what they are made of, values and places of knots,
# are those of the code that makes them.

# The knots in rising order and the values at them, the axis of the knots first.
def _knots(x, y, axis, least):
    x, y = _doubles(x), _doubles(y)
    axis = _axis(axis, ndim(y))
    if ndim(x) != 1 or shape_of(y)[axis] != len(x) or len(x) < least:
        return refuse(("knots of shape ", shape_of(x), " for values of shape ", shape_of(y), ", of which at least ", least, " are needed"))
    if not all(x[1:] > x[:-1]):
        raise ValueError("the places of the knots do not rise")
    return x, moveaxis(y, axis, 0), axis
# One number for each knot, beside values with more axes.
def _beside(x, y):
    return with_shape(x, shape_of(x) + (1,) * (ndim(y) - 1))
# The axes of places, which come first, where the axis of the knots was.
def _axes_back(found, rank, axis):
    if axis == 0 or rank == 0:
        return found
    places = ()
    for i in _numbers(rank):
        places = places + (axis + i,)
    return moveaxis(found, _numbers(rank), places)

# Polynomials between knots: `_c[j]` has the coefficients of degree k - j.
@dataclass(frozen=True)
class scipy_pieces:
    _x: object
    _c: object
    _extrapolate: object
    _at: object

    def __call__(self, x, nu=0, extrapolate=None):
        x = _doubles(x)
        knots, c = self._x, self._c
        nu = constant(nu, "`nu`")
        beyond = self._extrapolate if extrapolate is None else extrapolate
        last = len(knots) - 1
        places = ravel(x)
        periodic = isinstance(beyond, str)
        if periodic:
            places = knots[0] + (places - knots[0]) % (knots[last] - knots[0])
        i = clip(searchsorted(stopped(knots), stopped(places), "right") - 1, 0, last - 1)
        d = _beside(places - knots[i], c[0])
        k = len(c) - 1
        found = 0.0 * c[0][i]
        for j in _numbers(k + 1 - nu if k + 1 > nu else 0):
            found = found * d + _falling(k - j, nu) * c[j][i]
        if not periodic:
            if not constant(beyond, "`extrapolate`"):
                outside = logical_or(places < knots[0], places > knots[last])
                found = select(_beside(outside, found), nan, found)
            found = select(_beside(isnan(places), found), nan, found)
        return _axes_back(with_shape(found, shape_of(x) + shape_of(found)[1:]), ndim(x), self._at)
    def derivative(self, nu=1):
        nu = constant(nu, "`nu`")
        k = len(self._c) - 1
        if nu < 0 or nu > k:
            return refuse(("a derivative of order ", nu, " of polynomials of degree ", k))
        rows = ()
        for j in _numbers(k + 1 - nu):
            rows = rows + (_falling(k - j, nu) * self._c[j],)
        return scipy_pieces(self._x, stack(rows), self._extrapolate, self._at)
    def antiderivative(self, nu=1):
        if constant(nu, "`nu`") != 1:
            return refuse("antiderivatives are taken one after the other: `.antiderivative().antiderivative()`")
        k = len(self._c)
        steps = _beside(self._x[1:] - self._x[:-1], self._c[0])
        whole = 0.0 * self._c[0]
        rows = ()
        for j in _numbers(k):
            rows = rows + (self._c[j] / (k - j),)
            whole = (whole + rows[j]) * steps
        sums = cumsum(whole, 0)
        rows = rows + (concat((0.0 * sums[:1], sums[:-1]), 0),)
        extrapolate = False if isinstance(self._extrapolate, str) else self._extrapolate
        return scipy_pieces(self._x, stack(rows), extrapolate, self._at)
    def integrate(self, a, b, extrapolate=None):
        if isinstance(self._extrapolate, str) or isinstance(extrapolate, str):
            return refuse("integrals of periodic functions are not supported")
        whole = self.antiderivative()
        return whole(b, 0, extrapolate) - whole(a, 0, extrapolate)
# n (n - 1) … (n - k + 1)
def _falling(n, k):
    product = 1.0
    for i in _numbers(k):
        product = product * (n - i)
    return product
def _pieces_of_slopes(x, y, slopes, extrapolate, axis):
    steps = _beside(x[1:] - x[:-1], y)
    rises = (y[1:] - y[:-1]) / steps
    t = (slopes[:-1] + slopes[1:] - 2.0 * rises) / steps
    return scipy_pieces(x, stack((t / steps, (rises - slopes[:-1]) / steps - t, slopes[:-1], y[:-1])), extrapolate, axis)

def interpolate_CubicSpline(x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
    x, y, axis = _knots(x, y, axis, 2)
    bc = constant(bc_type, "`bc_type`") if isinstance(bc_type, str) else bc_type
    if isinstance(bc, str) and bc == "periodic":
        if not all(abs(y[0] - y[-1]) <= 1e-15 + 1e-15 * abs(y[0])):
            raise ValueError("the first and the last value of a periodic spline are not equal")
        return _pieces_of_slopes(x, y, _periodic_slopes(x, y), "periodic" if extrapolate is None else extrapolate, axis)
    first, last = (bc, bc) if isinstance(bc, str) else (bc[0], bc[1])
    return _pieces_of_slopes(x, y, _slopes_of_spline(x, y, first, last), True if extrapolate is None else extrapolate, axis)
def _slopes_of_spline(x, y, first, last):
    n = len(x)
    first, last = _end_of_spline(first), _end_of_spline(last)
    steps = x[1:] - x[:-1]
    h = _beside(steps, y)
    rises = (y[1:] - y[:-1]) / h
    if n == 2:
        first = (1, rises[0]) if first is None else first
        last = (1, rises[0]) if last is None else last
    if n == 3 and first is None and last is None:
        # The parabola through all three.
        bend = (rises[1] - rises[0]) / (h[0] + h[1])
        return stack((rises[0] - h[0] * bend, rises[0] + h[0] * bend, rises[1] + h[1] * bend))
    inside, sides = 2.0 * (steps[:-1] + steps[1:]), 3.0 * (h[1:] * rises[:-1] + h[:-1] * rises[1:])
    a, c, v = _first_row(steps, h, rises, first)
    b, d, w = _first_row(flip(steps), flip(h, 0), flip(rises, 0), None if last is None else (last[0], last[1] if last[0] == 1 else -last[1]))
    below = concat((steps[1:], with_shape(d, (1,))), 0)
    middle = concat((with_shape(a, (1,)), inside, with_shape(b, (1,))), 0)
    above = concat((with_shape(c, (1,)), steps[:-1]), 0)
    right = concat((expand_dims(v, 0), sides, expand_dims(w, 0)), 0)
    return _solution_of_three(below, middle, above, right)
# The order of a derivative and its value, or `None` for that of a neighbouring piece.
def _end_of_spline(end):
    if isinstance(end, str):
        if end == "not-a-knot":
            return None
        return (1, 0.0) if end == "clamped" else (2, 0.0) if end == "natural" else refuse(("a spline has no end ", end))
    order = constant(end[0], "the order of a derivative at an end")
    return (order, _doubles(end[1])) if order == 1 or order == 2 else refuse("at an end the first or the second derivative is given")
# Coefficients of the first two slopes, and what they add to. Those of the last two are these from the other side.
def _first_row(steps, h, rises, end):
    if end is None:
        d = steps[0] + steps[1]
        return steps[1], d, ((h[0] + 2.0 * d) * h[1] * rises[0] + h[0] * h[0] * rises[1]) / d
    if end[0] == 1:
        return 1.0 + 0.0 * steps[0], 0.0 * steps[0], broadcast_to(end[1], shape_of(rises)[1:])
    return 2.0 * steps[0], steps[0], 3.0 * h[0] * rises[0] - 0.5 * end[1] * h[0] * h[0]
# Of a matrix with three diagonals, by elimination without exchange of rows, which the matrices of splines do not need.
def _solution_of_three(below, middle, above, right):
    n = len(middle)
    x = right
    pivots = middle
    for i in range(1, n):
        by = below[i - 1] / pivots[i - 1]
        pivots[i] = pivots[i] - by * above[i - 1]
        x[i] = x[i] - by * x[i - 1]
    x[n - 1] = x[n - 1] / pivots[n - 1]
    for k in range(n - 1):
        i = n - 2 - k
        x[i] = (x[i] - above[i] * x[i + 1]) / pivots[i]
    return x
def _periodic_slopes(x, y):
    steps = x[1:] - x[:-1]
    n = len(steps)
    if n == 1:
        return 0.0 * y
    h = _beside(steps, y)
    rises = (y[1:] - y[:-1]) / h
    before, rises_before = roll(steps, 1), roll(rises, 1, 0)
    matrix = diag(2.0 * (before + steps)) + roll(diag(before), 1, 1) + roll(diag(steps), -1, 1)
    right = 3.0 * (h * rises_before + _beside(before, y) * rises)
    slopes = with_shape(linalg_solve(matrix, with_shape(right, (n, size(right) // n))), shape_of(right))
    return concat((slopes, slopes[:1]), 0)
# Fritsch and Butland 1984.
def interpolate_PchipInterpolator(x, y, axis=0, extrapolate=None):
    x, y, axis = _knots(x, y, axis, 2)
    h = _beside(x[1:] - x[:-1], y)
    m = (y[1:] - y[:-1]) / h
    if len(x) == 2:
        slopes = concat((m, m), 0)
    else:
        left, right = m[:-1], m[1:]
        turns = logical_or(sign(left) != sign(right), logical_or(left == 0.0, right == 0.0))
        v, w = 2.0 * h[1:] + h[:-1], h[1:] + 2.0 * h[:-1]
        inside = select(turns, 0.0, (v + w) / (v / select(turns, 1.0, left) + w / select(turns, 1.0, right)))
        slopes = concat((expand_dims(_end_of_pchip(h[0], h[1], m[0], m[1]), 0), inside, expand_dims(_end_of_pchip(h[-1], h[-2], m[-1], m[-2]), 0)), 0)
    return _pieces_of_slopes(x, y, slopes, True if extrapolate is None else extrapolate, axis)
def _end_of_pchip(h, k, m, n):
    d = ((2.0 * h + k) * m - h * n) / (h + k)
    steep = logical_and(sign(m) != sign(n), abs(d) > 3.0 * abs(m))
    return select(sign(d) != sign(m), 0.0, select(steep, 3.0 * m, d))
def interpolate_pchip_interpolate(xi, yi, x, der=0, axis=0):
    return interpolate_PchipInterpolator(xi, yi, axis)(x, der)
# Akima 1970.
def interpolate_Akima1DInterpolator(x, y, axis=0, *, method="akima", extrapolate=None):
    if method != "akima" and method != "makima":
        return refuse(("`Akima1DInterpolator` has no method ", method))
    x, y, axis = _knots(x, y, axis, 2)
    rises = (y[1:] - y[:-1]) / _beside(x[1:] - x[:-1], y)
    if len(x) == 2:
        return _pieces_of_slopes(x, y, concat((rises, rises), 0), False if extrapolate is None else extrapolate, axis)
    before, after = 2.0 * rises[:1] - rises[1:2], 2.0 * rises[-1:] - rises[-2:-1]
    m = concat((2.0 * before - rises[:1], before, rises, after, 2.0 * after - rises[-1:]), 0)
    turns = abs(m[1:] - m[:-1])
    if method == "makima":
        turns = turns + 0.5 * abs(m[1:] + m[:-1])
    f, g = turns[2:], turns[:-2]
    both = stopped(f + g)
    seen = both > 1e-9 * max(both)
    share = g / select(seen, f + g, 1.0)
    slopes = select(seen, m[1:-2] + share * (m[2:-1] - m[1:-2]), 0.5 * (m[3:] + m[:-3]))
    return _pieces_of_slopes(x, y, slopes, False if extrapolate is None else extrapolate, axis)

# Sums of B-splines (de Boor 1972).
@dataclass(frozen=True)
class scipy_spline:
    t: object
    c: object
    k: object
    extrapolate: object
    _at: object

    def __call__(self, x, nu=0, extrapolate=None):
        x = _doubles(x)
        beyond = self.extrapolate if extrapolate is None else extrapolate
        nu = constant(nu, "`nu`")
        k, n = constant(self.k, "the degree of a spline"), len(self.c)
        places = ravel(x)
        t, c = self.t, self.c
        for d in _numbers(_smaller(nu, k)):
            steps = _beside(t[k + 1:k + n - d] - t[d + 1:n], c)
            level = steps == 0.0
            c = (k - d) * select(level, 0.0, (c[1:] - c[:-1]) / select(level, 1.0, steps))
        found = tensordot(_splines_at(t[nu:len(t) - nu], places, k - nu, n - nu), c, 1) if nu <= k else 0.0 * c[zeros(shape_of(places), "int64")]
        if not constant(beyond, "`extrapolate`"):
            outside = logical_or(places < t[k], places > t[n])
            found = select(_beside(outside, found), nan, found)
        return _axes_back(with_shape(found, shape_of(x) + shape_of(found)[1:]), ndim(x), self._at)
    def derivative(self, nu=1):
        return scipy_slope(self, constant(nu, "`nu`"))
# A derivative of an interpolant, which is one, too.
@dataclass(frozen=True)
class scipy_slope:
    _of: object
    _nu: object
    __call__ = lambda self, x, nu=0, extrapolate=None: self._of(x, self._nu + nu, extrapolate)
# The n B-splines of degree k with these knots: a row for each place.
def _splines_at(t, places, k, n):
    i = clip(searchsorted(stopped(t), stopped(places), "right") - 1, k, n - 1)
    x = expand_dims(places, 1)
    rows = as_type(expand_dims(i, 1) == iota((len(t) - 1, 0)), "float64")
    for d in range(1, k + 1):
        m = len(t) - 1 - d
        wide, wide_next = t[d:d + m] - t[:m], t[d + 1:d + 1 + m] - t[1:1 + m]
        left = select(wide == 0.0, 0.0, (x - t[:m]) / select(wide == 0.0, 1.0, wide))
        right = select(wide_next == 0.0, 0.0, (t[d + 1:d + 1 + m] - x) / select(wide_next == 0.0, 1.0, wide_next))
        rows = left * rows[:, :m] + right * rows[:, 1:]
    return rows[:, :n]
def interpolate_BSpline(t, c, k, extrapolate=True, axis=0):
    c = _doubles(c)
    axis = _axis(axis, ndim(c))
    c = moveaxis(c, axis, 0)
    t = _doubles(t)
    k = constant(k, "the degree of a spline")
    if ndim(t) != 1 or len(t) - k - 1 < k + 1 or len(c) < len(t) - k - 1:
        return refuse((len(t), " knots and ", len(c), " coefficients are none of a spline of degree ", k))
    return scipy_spline(t, c[:len(t) - k - 1], k, extrapolate, axis)
def interpolate_make_interp_spline(x, y, k=3, t=None, bc_type=None, axis=0, check_finite=True):
    _only_none(bc_type, "bc_type")
    k = constant(k, "the degree of a spline")
    x, y, axis = _knots(x, y, axis, k + 1)
    n = len(x)
    if t is None:
        # Where pieces meet: at the places, or between them, but for those next to the ends.
        inner = x[(k + 1) // 2:n - (k + 1) // 2] if k % 2 == 1 else ((x[1:] + x[:-1]) / 2.0)[k // 2:n - 1 - k // 2]
        t = concat((broadcast(x[0], (k + 1,)), inner, broadcast(x[-1], (k + 1,))), 0)
    t = _doubles(t)
    if len(t) != n + k + 1:
        return refuse((n + k + 1, " knots are needed, and not ", len(t)))
    c = linalg_solve(_splines_at(t, x, k, n), with_shape(y, (n, size(y) // n)))
    return scipy_spline(t, with_shape(c, shape_of(y)), k, True, axis)
def interpolate_InterpolatedUnivariateSpline(x, y, w=None, bbox=None, k=3, ext=0, check_finite=False):
    _only_none(bbox, "bbox")
    return interpolate_make_interp_spline(x, y, k) if constant(ext, "`ext`") == 0 else refuse("`ext` is not supported")
def interpolate_splrep(x, y, w=None, xb=None, xe=None, k=3, task=0, s=None):
    _only_none(w, "w")
    if not (s is None or constant(s, "`s`") == 0):
        return refuse("splines that do not go through their points are not supported")
    spline = interpolate_make_interp_spline(x, y, k)
    return spline.t, concat((spline.c, zeros(k + 1)), 0), k
def interpolate_splev(x, tck, der=0):
    return interpolate_BSpline(tck[0], tck[1], tck[2])(x, der)

# Functions of which only values are wanted.
@dataclass(frozen=True)
class scipy_interpolant:
    x: object
    y: object
    _kind: object
    _below: object
    _above: object
    _is_strict: object
    _spline: object
    _at: object

    def __call__(self, x):
        given_x = _doubles(x)
        x = ravel(given_x)
        knots, y, kind = self.x, self.y, self._kind
        n = len(knots)
        at, places = stopped(knots), stopped(x)
        if kind == "spline":
            found = self._spline(x)
        elif kind == "linear":
            i = clip(searchsorted(at, places), 1, n - 1)
            share = _beside((x - knots[i - 1]) / (knots[i] - knots[i - 1]), y)
            found = y[i - 1] + share * (y[i] - y[i - 1])
        elif kind == "previous":
            found = y[clip(searchsorted(at, places, "right"), 1, n) - 1]
        elif kind == "next":
            found = y[clip(searchsorted(at, places), 0, n - 1)]
        else:
            found = y[clip(searchsorted((at[1:] + at[:-1]) / 2.0, places, "left" if kind == "nearest" else "right"), 0, n - 1)]
        low, high = places < at[0], places > at[n - 1]
        if self._is_strict and any(logical_or(low, high)):
            raise ValueError("a place is outside of the range of the knots")
        if self._below is not None:
            found = select(_beside(low, y), self._below, select(_beside(high, y), self._above, found))
        found = select(_beside(isnan(x), y), nan, found)
        return _axes_back(with_shape(found, shape_of(given_x) + shape_of(y)[1:]), ndim(given_x), self._at)
def interpolate_interp1d(x, y, kind="linear", axis=-1, copy=True, bounds_error=None, fill_value=None, assume_sorted=False):
    x, y = _doubles(x), _doubles(y)
    axis = _axis(axis, ndim(y))
    kind = constant(kind, "`kind`")
    if ndim(x) != 1 or shape_of(y)[axis] != len(x):
        return refuse(("knots of shape ", shape_of(x), " for values of shape ", shape_of(y)))
    if not constant(assume_sorted, "`assume_sorted`"):
        order = argsort(x)
        x, y = x[order], take(y, order, axis)
    degree = _degree_of_kind(kind)
    x, y, _ = _knots(x, y, axis, 1 if degree == 0 else degree + 1)
    beyond = isinstance(fill_value, str)
    if beyond:
        if fill_value != "extrapolate":
            return refuse(("`interp1d` does not fill by ", fill_value))
        if constant(bounds_error, "`bounds_error`") is not None and bounds_error:
            return refuse("`interp1d` extrapolates, or stops at the bounds")
    strict = not beyond and bounds_error is None or _is_bool(bounds_error, True)
    if beyond:
        below = None if kind != "previous" and kind != "next" else nan if kind == "previous" else y[0]
        above = None if below is None else nan if kind == "next" else y[-1]
    elif isinstance(fill_value, tuple):
        below, above = _doubles(fill_value[0]), _doubles(fill_value[1])
    else:
        below = nan if fill_value is None else _doubles(fill_value)
        above = below
    spline = interpolate_make_interp_spline(x, y, degree) if degree > 1 else None
    name = "spline" if degree > 1 else "linear" if degree == 1 else "previous" if kind == "zero" else kind
    return scipy_interpolant(x, y, name, below, above, strict, spline, axis)
def _degree_of_kind(kind):
    if kind == "nearest" or kind == "nearest-up" or kind == "previous" or kind == "next" or kind == "zero":
        return 0
    if kind == "linear" or kind == "slinear":
        return 1
    return 2 if kind == "quadratic" else 3 if kind == "cubic" else refuse(("`interp1d` has no kind ", kind))

# The polynomial through all points, by products of Lagrange: without quotients that are singular at the points.
@dataclass(frozen=True)
class scipy_polynomial:
    xi: object
    yi: object
    _at: object

    def __call__(self, x, nu=0):
        x = _doubles(x)
        values = self.yi
        for _ in _numbers(constant(nu, "the order of a derivative")):
            values = tensordot(_slopes_at_points(self.xi), values, 1)
        found = tensordot(_products_of_lagrange(self.xi, ravel(x)), values, 1)
        return _axes_back(with_shape(found, shape_of(x) + shape_of(found)[1:]), ndim(x), self._at)
    def derivative(self, x, der=1):
        return self(x, der)
def _products_of_lagrange(xi, places):
    n = len(xi)
    same = eye(n) > 0.0
    apart = select(same, 1.0, expand_dims(xi, 1) - xi)
    factors = select(same, 1.0, (with_shape(places, (len(places), 1, 1)) - xi) / apart)
    return prod(factors, 2)
# The matrix that makes slopes at the points of the values there.
def _slopes_at_points(xi):
    same = eye(len(xi)) > 0.0
    apart = select(same, 1.0, expand_dims(xi, 1) - xi)
    weights = 1.0 / prod(apart, 1)
    beside = select(same, 0.0, weights / expand_dims(weights, 1) / apart)
    return beside - diag(sum(beside, 1))
def interpolate_BarycentricInterpolator(xi, yi=None, axis=0):
    if yi is None:
        return refuse("`BarycentricInterpolator` needs the values, too")
    xi, yi = _doubles(xi), _doubles(yi)
    axis = _axis(axis, ndim(yi))
    if ndim(xi) != 1 or shape_of(yi)[axis] != len(xi):
        return refuse(("points of shape ", shape_of(xi), " for values of shape ", shape_of(yi)))
    return scipy_polynomial(xi, moveaxis(yi, axis, 0), axis)
def interpolate_barycentric_interpolate(xi, yi, x, axis=0, *, der=0):
    return interpolate_BarycentricInterpolator(xi, yi, axis)(x, der)
