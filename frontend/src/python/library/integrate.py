# scipy.integrate beside `odeint`.

# Integrals by the rule of Gauss and Kronrod with 21 places, in parts: the one with the greatest error is halved until all errors are as
# small as asked for (Piessens et al. 1983). What is integrated may be a tree of floats, which derivatives are: the derivative of an
# integral is the integral of the derivative, in parts of its own, and what comes in and goes out at the ends.
def _quadrature(h, a, b, args, epsabs, epsrel, parts):
    return applied_ruled(_quadrature_value, _quadrature_back, _quadrature_push, (h, a, b, args, epsabs, epsrel, parts))
def _quadrature_value(h, a, b, args, epsabs, epsrel, parts):
    a, b = 1.0 * a, 1.0 * b
    first, error, least = _part_of_integral(h, a, b, args)
    rows = _with_row(_no_rows(first, 500), 0, first)
    lows, highs, errors = zeros(500), zeros(500), zeros(500)
    lows[0], highs[0], errors[0] = a, b, error
    # Errors that halves would lessen.
    open = zeros(500)
    open[0] = 0.0 if error <= least else error
    total, count = first, 1
    while not sum(open) <= maximum(epsabs, epsrel * _greatest(total)):
        if count >= parts:
            raise RuntimeError("the integral does not come near enough to one number: it may diverge, or be too hard for the method")
        k = argmax(select(isnan(open), inf, open))
        low, high = lows[k], highs[k]
        middle = 0.5 * (low + high)
        left, left_error, left_least = _part_of_integral(h, low, middle, args)
        right, right_error, right_least = _part_of_integral(h, middle, high, args)
        rows = _with_row(_with_row(rows, k, left), count, right)
        total = _each_float(lambda rows: sum(rows, 0), rows)
        highs[k], lows[count], highs[count] = middle, middle, high
        errors[k], errors[count] = left_error, right_error
        open[k] = 0.0 if left_error <= left_least else left_error
        open[count] = 0.0 if right_error <= right_least else right_error
        count = count + 1
    return (total, sum(errors))
# What one part adds, how wrong it may be, and the error that rounding alone leaves.
def _part_of_integral(h, a, b, args):
    places, weights, fewer = _rule_of_kronrod()
    half = 0.5 * (b - a)
    places = 0.5 * (a + b) + half * places
    rows = _no_rows(applied(h, (places[0],) + args), 21)
    for i in range(21):
        rows = _with_row(rows, i, applied(h, (places[i],) + args))
    found = _each_float(lambda rows: half * _weighed(weights, rows), rows)
    error = _greatest(_each_float(lambda rows: half * _weighed(weights - fewer, rows), rows))
    size = abs(half) * sum(weights * _sizes_of_rows(rows))
    apart = abs(half) * sum(weights * _sizes_of_rows(_each_float(lambda rows: rows - 0.5 * _weighed(weights, rows), rows)))
    least = 50.0 * 2.220446049250313e-16 * size
    if apart != 0.0 and error != 0.0:
        error = apart * minimum(1.0, (200.0 * error / apart) ** 1.5)
    return found, maximum(error, least), least
def _rule_of_kronrod():
    places = array((0.0, 0.14887433898163122, 0.2943928627014602, 0.4333953941292472, 0.5627571346686047, 0.6794095682990244, 0.7808177265864169, 0.8650633666889845, 0.9301574913557082, 0.9739065285171717, 0.9956571630258081))
    weights = array((0.1494455540029169, 0.14773910490133849, 0.14277593857706009, 0.13470921731147334, 0.12349197626206584, 0.10938715880229764, 0.0931254545836976, 0.07503967481091996, 0.054755896574351995, 0.032558162307964725, 0.011694638867371874))
    # Of Gauss, at every second place.
    fewer = array((0.0, 0.29552422471475287, 0.0, 0.26926671930999635, 0.0, 0.21908636251598204, 0.0, 0.1494513491505806, 0.0, 0.06667134430868814, 0.0))
    both = lambda x: concat((flip(x[1:]), x), 0)
    return concat((-flip(places[1:]), places), 0), both(weights), both(fewer)
def _weighed(weights, rows):
    return sum(with_shape(weights, (len(weights),) + (1,) * (ndim(rows) - 1)) * rows, 0)
# Trees of floats and arrays of floats, in which `None` stands for what has no derivative.
def _each_float(function, x):
    if x is None:
        return None
    return function(x) if fields_of(x) is None else _each(lambda part: _each_float(function, part), x)
def _combined(function, x, y):
    if x is None or y is None:
        return None
    fields = fields_of(x)
    if fields is None:
        return function(x, y)
    parts = ()
    for a, b in zip(fields, fields_of(y)):
        parts = parts + (_combined(function, a, b),)
    return alike(x, parts)
def _greatest(x):
    if x is None:
        return 0.0
    fields = fields_of(x)
    if fields is None:
        return 0.0 if size(x) == 0 else max(abs(array_of(x)))
    greatest = 0.0
    for part in fields:
        greatest = maximum(greatest, _greatest(part))
    return greatest
def _sizes_of_rows(rows):
    if rows is None:
        return zeros(21)
    fields = fields_of(rows)
    if fields is None:
        return zeros(21) if size(rows) == 0 else max(abs(with_shape(rows, (21, size(rows) // 21))), 1)
    greatest = zeros(21)
    for part in fields:
        greatest = maximum(greatest, _sizes_of_rows(part))
    return greatest
def _quadrature_back(h, a, b, args, epsabs, epsrel, parts):
    y, error = _quadrature(h, a, b, args, epsabs, epsrel, parts)
    def pullback(cotangent):
        c = shown(cotangent, (y, error))[0]
        inside = _quadrature(_pulled_integrand, a, b, (h, args, c), epsabs, epsrel, parts)[0]
        ends = (_end_of_integral(h, a, args, c, -1.0), _end_of_integral(h, b, args, c, 1.0))
        given_back = given((inside[0],) + ends + (inside[1],), (h, a, b, args), "cotangent")
        return (no_captures(), given_back[0], given_back[1], given_back[2], given_back[3], _nothing(epsabs), _nothing(epsrel), _nothing(parts))
    return ((y, error), pullback)
def _end_of_integral(h, x, args, c, sign):
    return sign * _inner_of_trees(c, applied(h, (x,) + args)) if isinstance(x, float) else None
def _inner_of_trees(x, y):
    if x is None or y is None:
        return 0.0
    fields = fields_of(x)
    if fields is None:
        return sum(strong_product(x, y))
    total = 0.0
    for a, b in zip(fields, fields_of(y)):
        total = total + _inner_of_trees(a, b)
    return total
def _pulled_integrand(t, h, args, c):
    y, back = pulled(h, (t,) + args)
    cotangents = back(given(c, y, "cotangent"))
    return (shown(environment_of(cotangents[0], h, (t,) + args), h), shown(cotangents[2:], args))
def _quadrature_push(own, h, a, b, args, epsabs, epsrel, parts, dh, da, db, dargs, depsabs, depsrel, dparts):
    y, error = _quadrature(h, a, b, args, epsabs, epsrel, parts)
    moved = _quadrature(_pushed_integrand, a, b, (h, args, dh, dargs), epsabs, epsrel, parts)[0]
    moved = _combined(lambda x, y: x + y, moved, _moved_end(h, b, args, shown(db, b), 1.0)) if isinstance(b, float) else moved
    moved = _combined(lambda x, y: x + y, moved, _moved_end(h, a, args, shown(da, a), -1.0)) if isinstance(a, float) else moved
    return ((y, error), given((moved, 0.0), (y, error), "tangent"))
def _moved_end(h, x, args, dx, sign):
    return _each_float(lambda y: sign * strong_product(dx, y), applied(h, (x,) + args))
def _pushed_integrand(t, h, args, dh, dargs):
    y, tangent = pushed(h, dh, (t,) + args, (_nothing(t),) + dargs)
    return shown(tangent, y)

# Ends that are infinite are those of a variable t that goes from 0 to 1. What is between a finite end and itself is nothing, with the
# derivative with respect to that end.
def _integral_between(h, a, b, args, epsabs, epsrel, parts):
    if abs(a) < inf and abs(b) < inf:
        return _quadrature(h, a, b, args, epsabs, epsrel, parts)
    if isnan(a) or isnan(b) or a == b:
        raise ValueError("the ends of an integral are no numbers, or the same infinity")
    if abs(a) == inf and abs(b) == inf:
        found, error = _quadrature(_both_ways, 0, 1, (h, args), epsabs, epsrel, parts)
        return (_combined(lambda x, y: x * y, found, _each_float(lambda x: sign(b), found)), error)
    end, way, turn = (a, sign(b), 1.0) if abs(a) < inf else (b, sign(a), -1.0)
    found, error = _quadrature(_one_way, 0, 1, (h, stopped(end), stopped(way), args), epsabs, epsrel, parts)
    ends = _quadrature(h, end, stopped(end), args, epsabs, epsrel, parts)[0]
    return (turn * (way * found + ends), error)
def _one_way(t, h, end, way, args):
    return applied(h, (end + way * ((1.0 - t) / t),) + args) / (t * t)
def _both_ways(t, h, args):
    s = (1.0 - t) / t
    return (applied(h, (s,) + args) + applied(h, (-s,) + args)) / (t * t)
def integrate_quad(func, a, b, args=(), full_output=0, epsabs=1.49e-08, epsrel=1.49e-08, limit=50, points=None, weight=None):
    _only_none(weight, "weight")
    if constant(full_output, "`full_output`"):
        return refuse("`full_output` of `quad` is not supported")
    h, args = _giving_number(func, "quad"), _arguments(args)
    a, b = _one_number(a, "quad"), _one_number(b, "quad")
    return _integral_in_pieces(h, a, b, args, epsabs, epsrel, limit, points)
def _integral_in_pieces(h, a, b, args, epsabs, epsrel, limit, points):
    # More than SciPy needs, which sees how sums of parts go on.
    parts = minimum(10 * limit, 500)
    if points is None:
        return _integral_between(h, a, b, args, epsabs, epsrel, parts)
    places = sort(stopped(_doubles(points)))
    found, error = _integral_between(h, a, places[0], args, epsabs, epsrel, parts)
    for i in range(1, len(places)):
        more = _integral_between(h, places[i - 1], places[i], args, epsabs, epsrel, parts)
        found, error = found + more[0], error + more[1]
    more = _integral_between(h, places[-1], b, args, epsabs, epsrel, parts)
    return (found + more[0], error + more[1])
def integrate_quad_vec(f, a, b, epsabs=1e-200, epsrel=1e-08, norm="2", cache_size=100000000.0, limit=10000, workers=1, points=None, quadrature=None, full_output=False, *, args=()):
    if constant(full_output, "`full_output`"):
        return refuse("`full_output` of `quad_vec` is not supported")
    h = lambda *x: _doubles(f(*x))
    return _integral_in_pieces(h, _one_number(a, "quad_vec"), _one_number(b, "quad_vec"), _arguments(args), epsabs, epsrel, _smaller(limit, 50), points)
def integrate_dblquad(func, a, b, gfun, hfun, args=(), epsabs=1.49e-08, epsrel=1.49e-08):
    args = _arguments(args)
    row = lambda x: integrate_quad(lambda y: func(y, x, *args), _end_at(gfun, x), _end_at(hfun, x), epsabs=epsabs, epsrel=epsrel)[0]
    return integrate_quad(row, a, b, epsabs=epsabs, epsrel=epsrel)
def _end_at(end, x):
    return end if isinstance(end, (int, float)) else end(x)
# At the places of Gauss, of which n is the number.
def integrate_fixed_quad(func, a, b, args=(), n=5):
    places, weights = _rule_of_gauss(constant(n, "`n`"))
    values = func(0.5 * (b - a) * (places + 1.0) + a, *_arguments(args))
    return 0.5 * (b - a) * sum(weights * values, -1), None
def _rule_of_gauss(n):
    x = -cos(pi * (iota((n, 0)) + 0.75) / (n + 0.5))
    for _ in range(8):
        y, slope = _legendre(n, x)
        x = x - y / slope
    slope = _legendre(n, x)[1]
    return x, 2.0 / ((1.0 - x * x) * slope * slope)
def _legendre(n, x):
    before, y = 0.0 * x, 0.0 * x + 1.0
    for k in range(n):
        before, y = y, ((2 * k + 1) * x * y - k * before) / (k + 1)
    return y, n * (x * y - before) / (x * x - 1.0)

# Of values at places along an axis.
def integrate_trapezoid(y, x=None, dx=1.0, axis=-1):
    return trapezoid(y, x, dx, axis)
def integrate_cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    y, steps, axis = _values_and_steps(y, x, dx, axis)
    return _beginning_with(cumsum(steps * (y[1:] + y[:-1]) / 2.0, 0), initial, y, axis)
# The values with the axis first, and their distances.
def _values_and_steps(y, x, dx, axis):
    y = _floats(y)
    axis = _axis(axis, ndim(y))
    y = moveaxis(y, axis, 0)
    n = len(y)
    if n == 0:
        return refuse("an integral of no values")
    if x is None:
        steps = broadcast_to(dx, (n - 1,) + (1,) * (ndim(y) - 1))
    else:
        x = _floats(x)
        x = moveaxis(x, axis, 0) if ndim(x) > 1 else with_shape(x, (len(x),) + (1,) * (ndim(y) - 1))
        if len(x) != n:
            return refuse((len(x), " places for ", n, " values"))
        steps = x[1:] - x[:-1]
    return y, steps, axis
def _beginning_with(sums, initial, y, axis):
    if initial is not None:
        begin = broadcast_to(_doubles(initial), (1,) + shape_of(y)[1:])
        sums = concat((begin, sums), 0)
    return moveaxis(sums, 0, axis)
# Parabolas through three values; the last of an even number takes part in one with the two before (Cartwright 2017).
def integrate_simpson(y, x=None, dx=1.0, axis=-1):
    y, steps, axis = _values_and_steps(y, x, dx, axis)
    n = len(y)
    if n < 3:
        return sum(steps * (y[1:] + y[:-1]) / 2.0, 0)
    first, second = _halves_of_parabolas(y, steps)
    even = _cut(first, 0, 0, 2, (n - 1) // 2) + _cut(second, 0, 0, 2, (n - 1) // 2)
    return sum(even, 0) if n % 2 == 1 else sum(even, 0) + second[n - 3]
# For each value inside, what is below the parabola through it and its neighbours, left and right of it.
def _halves_of_parabolas(y, steps):
    h, k = steps[:-1], steps[1:]
    left, middle, right = y[:-2], y[1:-1], y[2:]
    bend = ((right - middle) / k - (middle - left) / h) / (h + k)
    return h * (left + middle) / 2.0 - bend * h ** 3 / 6.0, k * (middle + right) / 2.0 - bend * k ** 3 / 6.0
def integrate_cumulative_simpson(y, *, x=None, dx=1.0, axis=-1, initial=None):
    y, steps, axis = _values_and_steps(y, x, dx, axis)
    n = len(y)
    if n < 3:
        return _beginning_with(_added_to(cumsum(steps * (y[1:] + y[:-1]) / 2.0, 0), initial), initial, y, axis)
    first, second = _halves_of_parabolas(y, steps)
    sizes = (n - 2,) + (1,) * (ndim(y) - 1)
    pieces = concat((select(iota(sizes + (0,)) % 2 == 0, first, _shifted_back(second)), second[-1:]), 0)
    # Of each pair the first half of the parabola through it, and then the second.
    return _beginning_with(_added_to(cumsum(pieces, 0), initial), initial, y, axis)
# To all sums, unlike that of `cumulative_trapezoid`.
def _added_to(sums, initial):
    return sums if initial is None else sums + _doubles(initial)
def _shifted_back(x):
    return concat((x[:1], x[:-1]), 0)
def integrate_romb(y, dx=1.0, axis=-1):
    y = _floats(y)
    y = moveaxis(y, _axis(axis, ndim(y)), 0)
    n = len(y) - 1
    levels = 0
    while 2 ** levels < n:
        levels = levels + 1
    if n < 1 or 2 ** levels != n:
        return refuse(("`romb` needs one value more than a power of two, and not ", n + 1))
    row = (0.5 * n * dx * (y[0] + y[n]),)
    for i in _numbers(levels):
        step = n // 2 ** (i + 1)
        between = sum(_cut(y, 0, step, 2 * step, 2 ** i), 0)
        new = (0.5 * row[0] + step * dx * between,)
        for j in _numbers(i + 1):
            new = new + (new[j] + (new[j] - row[j]) / (4 ** (j + 1) - 1),)
        row = new
    return row[levels]

@dataclass(frozen=True)
class scipy_ode:
    t: object
    y: object
    success: object
    status: object
    message: object
# The steps are those of `odeint`, whose tolerances and derivatives it has.
def integrate_solve_ivp(fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False, args=None, *, rtol=1e-10, atol=1e-10):
    if t_eval is None:
        return refuse("the steps of `solve_ivp` only the run knows; give the times that are asked for: `t_eval=[t0, t1]`")
    if constant(dense_output, "`dense_output`"):
        return refuse("`dense_output` of `solve_ivp` is not supported; give the times that are asked for as `t_eval`")
    _only_none(events, "events")
    if method != "RK45" and method != "RK23" and method != "DOP853":
        return refuse(("the method ", method, " of `solve_ivp` is not supported; there is `RK45`"))
    start, end = _one_number(t_span[0], "solve_ivp"), _one_number(t_span[1], "solve_ivp")
    times = ravel(_doubles(t_eval))
    n = len(times)
    if any(times < minimum(start, end)) or any(times > maximum(start, end)) or any(diff(times) * (end - start) <= 0.0):
        raise ValueError("`t_eval` is not within `t_span`, or not in its order")
    y = _vector(y0, "solve_ivp")
    slope = lambda y, t, *args: fun(t, y, *args)
    rest = () if args is None else _arguments(args)
    found = zeros((len(y), n))
    at = start
    for i in range(n):
        y = _integrated(slope, y, at, times[i], rest, rtol, atol)
        at = times[i]
        found[:, i] = y
    return scipy_ode(times, found, True, 0, "The solver successfully reached the end of the integration interval.")
