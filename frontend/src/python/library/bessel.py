# scipy.special: what is computed by series, recurrences and continued fractions until these change nothing. A rule says the derivative,
# in terms of the functions themselves, so it holds at every order.

# The arguments as floats of one shape.
def _aligned(*args):
    sizes = ()
    for one in args:
        sizes = _joined(sizes, shape(one))
    return [broadcast(_doubles(one), sizes) for one in args]
# An elementwise function with the derivative `slope` with respect to its last argument. With respect to others, orders and shapes, that
# of its series is the derivative, which has a rule as well: by the last argument it is what the slope has by the shapes. So derivatives do
# not depend on their order, and hold at the ends of the last argument, too. `shapes` are the numbers of those by which it is taken.
def _sloped(value, slope, args):
    return _sloped_by(value, slope, (), args)
def _sloped_by(value, slope, shapes, args):
    return applied_ruled(_sloped_value, _sloped_back, _sloped_push, (value, slope, shapes, args))
def _sloped_value(value, slope, shapes, args):
    return _by_shapes(value, shapes, args)
def _by_shapes(f, shapes, args):
    if len(shapes) == 0:
        return applied(f, args)
    tangents = ()
    for i, one in enumerate(args):
        tangents = tangents + (broadcast(1.0 if i == shapes[0] else 0.0, shape(one)),)
    g = lambda *args: _by_shapes(f, shapes[1:], args)
    y, tangent = pushed(g, _nothing(g), args, given(tangents, args, "tangent"))
    return shown(tangent, y)
def _partials(value, slope, shapes, args):
    partials = ()
    for i in _numbers(len(args) - 1):
        partials = partials + (_sloped_by(value, slope, shapes + (i,), args),)
    return partials + (_by_shapes(slope, shapes, args),)
def _sloped_back(value, slope, shapes, args):
    y = _sloped_by(value, slope, shapes, args)
    partials = _partials(value, slope, shapes, args)
    def pullback(cotangent):
        g = shown(cotangent, y)
        cotangents = ()
        for partial, one in zip(partials, args):
            cotangents = cotangents + (_summed_like(strong_product(g, partial), one),)
        return (no_captures(), _nothing(value), _nothing(slope), _nothing(shapes), given(cotangents, args, "cotangent"))
    return (y, pullback)
def _sloped_push(own, value, slope, shapes, args, dvalue, dslope, dshapes, tangents):
    y = _sloped_by(value, slope, shapes, args)
    total = 0.0 * y
    for partial, t in zip(_partials(value, slope, shapes, args), shown(tangents, args)):
        total = total + strong_product(t, partial)
    return (y, given(total, y, "tangent"))
# What is made of these alone is floats of 32 bits, if they are.
def _narrow_like_all(args, y):
    joined = array_of(args[0])
    for one in args[1:]:
        joined = joined + array_of(one)
    return _narrow_like(joined, y)
# What was broadcast from the shape of an argument, summed to it.
def _summed_like(g, x):
    sizes = (1,) * (ndim(g) - ndim(x)) + shape_of(x)
    return with_shape(sum_to(g, sizes), shape_of(x))
# Bessel's functions of integer order. Recurrences go up to an order of a million. Beyond it these functions are zero and infinite for
# arguments that are less than the order, and NaN for others.
def special_j0(x):
    return special_jn(0, x)
def special_j1(x):
    return special_jn(1, x)
def special_y0(x):
    return special_yn(0, x)
def special_y1(x):
    return special_yn(1, x)
def special_jn(n, x):
    return _narrow_like(array_of(x), _ruled(_jn_value, _jn_rule, _order(n), _doubles(x)))
def special_yn(n, x):
    return _narrow_like(array_of(x), _ruled(_yn_value, _yn_rule, _order(n), _doubles(x)))
def _order(n):
    n = array_of(n)
    return n if dtype_of(n) == "int64" else refuse("the order is an integer here, this is a float")
def _jn_rule(y, n, x):
    return lambda g: (None, _summed_like(0.5 * g * (special_jn(n - 1, x) - special_jn(n + 1, x)), x))
def _yn_rule(y, n, x):
    return lambda g: (None, _summed_like(0.5 * g * (special_yn(n - 1, x) - special_yn(n + 1, x)), x))
def _jn_value(n, x):
    n, x = _aligned(n, x)
    size, order = abs(x), abs(n)
    sign = select(logical_and(order % 2.0 == 1.0, (x < 0.0) != (n < 0.0)), -1.0, 1.0)
    beyond = select(size < 0.99 * order, 0.0, nan)
    is_high = order > 1e6
    order = select(is_high, 0.0, order)
    is_far = logical_and(size > 25.0, order <= size)
    near = _below_order(order, select(logical_or(is_far, size == 0.0), 1.0, size))[0]
    j0, j1, y0, y1 = _far_away(select(is_far, size, 30.0))
    far = _upwards(select(is_far, order, 0.0), select(is_far, size, 30.0), j0, j1)
    found = select(size == 0.0, select(order == 0.0, 1.0, 0.0), select(size == inf, 0.0, select(is_far, far, near)))
    return sign * select(is_high, beyond, found)
def _yn_value(n, x):
    n, x = _aligned(n, x)
    order = abs(n)
    sign = select(logical_and(order % 2.0 == 1.0, n < 0.0), -1.0, 1.0)
    beyond = select(x < 0.99 * order, -inf, nan)
    is_high = order > 1e6
    order = select(is_high, 0.0, order)
    is_far = x > 25.0
    j, near0, near1 = _below_order(0.0 * order, select(logical_and(x > 0.0, logical_not(is_far)), x, 1.0))
    j0, j1, far0, far1 = _far_away(select(is_far, x, 30.0))
    y = _upwards(order, select(x > 0.0, x, 1.0), select(is_far, far0, near0), select(is_far, far1, near1))
    return sign * select(x > 0.0, select(x == inf, 0.0, select(is_high, beyond, y)), select(x == 0.0, -inf, nan))
# From orders 0 and 1 to one that is not less than these, which is stable below the argument, and for Y everywhere.
def _upwards(n, x, first, second):
    found, at, next = first, first, second
    for k in range(1, int(max(n)) + 1):
        found = select(n == k, next, found)
        at, next = next, 2.0 * k / x * next - at
    return found
# J of the order n, and Y of orders 0 and 1, for positive x: from a high order down (Miller), scaled so that J0 + 2 J2 + 2 J4 + … is 1. Y
# is a series in J (Abramowitz and Stegun 1964, 9.1.88).
def _below_order(n, x):
    up = 0.0 * x
    at = up + 1.0
    total, found, even, odd = up, up, up, up
    k = 2 * (int(maximum(max(x), max(n))) // 2) + 50
    while k > 0:
        found = select(n == k, at, found)
        h = k // 2
        term = select(h % 2 == 0, at, -at)
        if k % 2 == 0:
            total = total + 2.0 * at
            even = even + term / h
        elif k > 1:
            odd = odd + term * (k / (h * (h + 1.0)))
        up, at = at, 2.0 * k / x * at - up
        scale = select(abs(at) > 1e150, 1e-150, 1.0)
        up, at, total, found, even, odd = scale * up, scale * at, scale * total, scale * found, scale * even, scale * odd
        k = k - 1
    total = total + at
    found = select(n == 0.0, at, found) / total
    j0, j1 = at / total, up / total
    growth = log(x / 2.0) + 0.5772156649015329
    y0 = 2.0 / pi * (growth * j0 - 2.0 * even / total)
    y1 = 2.0 / pi * ((growth - 1.0) * j1 - odd / total - j0 / x)
    return found, y0, y1
# J0, J1, Y0 and Y1 by the asymptotic series (Abramowitz and Stegun 1964, 9.2.5).
def _far_away(x):
    c, s = cos(x), sin(x)
    size = 1.0 / sqrt(pi * x)
    p0, q0 = _phases(0.0, x)
    p1, q1 = _phases(4.0, x)
    u, v = s + c, s - c
    return size * (p0 * u - q0 * v), size * (p1 * v + q1 * u), size * (p0 * v + q0 * u), size * (q1 * v - p1 * u)
def _phases(mu, x):
    term = 0.0 * x + 1.0
    p, q = term, 0.0 * x
    for k in range(1, 28):
        term = term * ((mu - (2.0 * k - 1.0) ** 2) / (8.0 * k)) / x
        if k % 2 == 1:
            q = q + (term if k % 4 == 1 else -term)
        else:
            p = p + (term if k % 4 == 0 else -term)
    return p, q

# Modified ones, of any order; `scaled` is by the exponential of the argument's size.
def special_i0(x):
    return special_iv(0.0, x)
def special_i1(x):
    return special_iv(1.0, x)
def special_i0e(x):
    return special_ive(0.0, x)
def special_i1e(x):
    return special_ive(1.0, x)
def special_iv(v, z):
    return _narrow_like(array_of(z), _sloped(_iv_value, _iv_slope, (_doubles(v), _doubles(z))))
def special_ive(v, z):
    return _narrow_like(array_of(z), _sloped(_ive_value, _ive_slope, (_doubles(v), _doubles(z))))
def _iv_slope(v, x):
    return _slope_by_orders(special_iv, v, x)
def _ive_slope(v, x):
    return _slope_by_orders(special_ive, v, x) - sign(x) * special_ive(v, x)
# By the orders before and after. Around zero, where the one before may be a negative integer, by the order itself.
def _slope_by_orders(f, v, x):
    v, x = _aligned(v, x)
    near = logical_and(abs(v) < 1.0, x != 0.0)
    before = select(near, 0.0, f(select(near, 2.0, v) - 1.0, x))
    after = f(v + 1.0, x)
    return select(near, after + v / select(near, x, 1.0) * f(select(near, v, 0.0), x), 0.5 * (before + after))
def _iv_value(v, x):
    return _modified(v, x, False)
def _ive_value(v, x):
    return _modified(v, x, True)
# The values of a negative integer order are those of the positive one; the derivatives with respect to the order are not, and are NaN.
def _turned(v):
    return applied_ruled(_turned_value, _turned_back, _turned_push, (v,))
def _turned_value(v):
    return -v
def _turned_back(v):
    def pullback(cotangent):
        return (no_captures(), given(_turned_slope(v, shown(cotangent, v)), v, "cotangent"))
    return (_turned(v), pullback)
def _turned_push(own, v, dv):
    return (_turned(v), given(_turned_slope(v, shown(dv, v)), v, "tangent"))
def _turned_slope(v, t):
    return select(logical_and(t != 0.0, v < 0.0), nan, -t)
def _modified(v, x, scaled):
    v, x = _aligned(v, x)
    is_whole = v == floor(v)
    v = select(logical_and(is_whole, v < 0.0), _turned(v), v)
    size = abs(x)
    is_far = size > 50.0 + v * v / 2.0
    # A series of powers, of which all are positive but for some of the first if the order is negative. It ends where terms are too small
    # for derivatives with respect to the order, too, which are larger by squares of logarithms.
    near = select(logical_or(is_far, size == 0.0), 1.0, size)
    quarter = near * near / 4.0
    term = 1.0 + 0.0 * near
    total, shift = term, 0.0 * near
    k = 1.0
    while (any(abs(term) > 1e-21 * abs(total)) or any(v + k < 0.0)) and k < 1e7:
        term = term * (quarter / (k * (v + k)))
        total = total + term
        scale = select(abs(total) > 1e250, 1e-250, 1.0)
        term, total, shift = scale * term, scale * total, shift - log(scale)
        k = k + 1.0
    # So many terms are too few for the greatest of arguments.
    total = select(abs(term) > 1e-21 * abs(total), nan, total)
    large = logical_or(v > 100.0, near > 500.0)
    u = select(large, 0.0, v)
    by_logarithm = exp(select(large, v * log(near / 2.0) - gammaln(v + 1.0) + shift - (near if scaled else 0.0), 0.0))
    by_power = power(near / 2.0, u) * special_rgamma(u + 1.0) * (exp(-near) if scaled else 1.0)
    total = total * select(large, by_logarithm, by_power)
    # The asymptotic one (Abramowitz and Stegun 1964, 9.7.1). It ends where the order is a half, its derivatives do not; from 50 on so many
    # terms are enough for all.
    away = select(logical_and(is_far, size < inf), size, 100.0 + v * v)
    part = 0.0 * away + 1.0
    sum_ = part
    for k in range(1, 26):
        part = part * (((2.0 * k - 1.0) ** 2 - 4.0 * v * v) / (8.0 * k)) / away
        sum_ = sum_ + part
    far = sum_ / sqrt(2.0 * pi * away)
    far = far if scaled else far * exp(away)
    far = select(size == inf, 0.0 if scaled else inf, far)
    at_zero = select(v == 0.0, 1.0, select(v > 0.0, 0.0, inf))
    found = select(size == 0.0, at_zero, select(is_far, far, total))
    return found * select(x < 0.0, select(is_whole, select(v % 2.0 == 1.0, -1.0, 1.0), nan), 1.0)

# The incomplete gamma functions: what is below x, and what is above it.
def special_gammainc(a, x):
    return _narrow_like_all((a, x), _sloped(_gammainc_value, _gamma_density, (_doubles(a), _doubles(x))))
def special_gammaincc(a, x):
    return _narrow_like_all((a, x), _sloped(_gammaincc_value, _gammaincc_slope, (_doubles(a), _doubles(x))))
# At zero by a power, which has derivatives there, and for shapes near zero by what is smooth there.
def _gamma_density(a, x):
    a, x = _aligned(a, x)
    is_end = x == 0.0
    small = a < 20.0
    inside = select(is_end, 1.0, x)
    b = select(small, a, 1.0)
    near = exp((b - 1.0) * log(inside) - inside) * special_rgamma(b)
    far = exp(_log_gamma_density(select(small, 20.0, a), inside))
    end = select(is_end, x, 0.0)
    return select(is_end, power(end, a - 1.0) * exp(-end) * special_rgamma(a), select(small, near, far))
def _log_gamma_density(a, x):
    a, x = _aligned(a, x)
    large = logical_and(a >= 20.0, logical_and(x > 0.0, x < inf))
    b, y = select(large, 20.0, a), select(large, 1.0, x)
    near = special_xlogy(b - 1.0, y) - y - gammaln(b)
    b, y = select(large, a, 20.0), select(large, x, 20.0)
    return select(large, _log_gamma_front(b, y) + log(b) - log(y), near)
# The logarithm of x**a exp(-x) / gamma(a + 1), for shapes of 20 and above by Stirling's series, around its greatest value.
def _log_gamma_front(a, x):
    return _gamma_fall(a, x) - 0.5 * log(a) - log(sqrt(2.0 * pi))
def _gamma_fall(a, x):
    return a * _log_less((x - a) / a, x / a) - _stirling(a)
# log(1 + u) - u and exp(y) - 1 - y, with all their digits.
def _log_less(u, ratio):
    near = abs(u) < 0.5
    v = select(near, u, 0.0)
    r = v / (2.0 + v)
    series = 0.0 * v
    for k in range(24):
        series = series * r * r + 1.0 / (49.0 - 2.0 * k)
    return select(near, r * (2.0 * r * r * series - v), log(select(near, 1.0, ratio)) - u)
def _exp_less(y):
    near = abs(y) < 1.0
    z = select(near, y, 0.0)
    series = 0.0 * z
    for k in range(21):
        series = (series * z + 1.0) / (22.0 - k)
    return select(near, series * z * z, expm1(y) - y)
# The integral of the exponential of what falls from zero on, on that scale: the rule of trapezoids (Takahasi and Mori 1974), whose number
# of points does not depend on the arguments.
def _integral_of_exp(f, scale):
    scale = stopped(scale)
    total = 0.0 * scale
    for k in range(126):
        t = k / 16.0 - 3.6
        point = exp(t - exp(-t))
        total = total + (1.0 + exp(-t)) * point * exp(f(point * scale))
    return total * scale / 16.0
def _gammaincc_slope(a, x):
    return -_gamma_density(a, x)
def _gammainc_value(a, x):
    return _gamma_parts(a, x)[0]
def _gammaincc_value(a, x):
    return _gamma_parts(a, x)[1]
def _gamma_parts(a, x):
    a, x = _aligned(a, x)
    is_fit = logical_and(logical_and(a >= 0.0, x > 0.0), logical_and(x < inf, a < inf))
    p, q = _gamma_parts_inside(select(is_fit, a, 1.0), select(is_fit, x, 1.0))
    is_none = logical_or(logical_or(x < 0.0, a < 0.0), logical_or(isnan(x + a), logical_and(a == 0.0, x == 0.0)))
    is_none = logical_or(is_none, logical_and(a == inf, x == inf))
    below = select(logical_or(x == 0.0, a == inf), 0.0, 1.0)
    return select(is_fit, p, select(is_none, nan, below)), select(is_fit, q, select(is_none, nan, 1.0 - below))
def _gamma_parts_inside(a, x):
    large = a >= 20.0
    p, q = _gamma_parts_of_small(select(large, 1.0, a), select(large, 1.0, x))
    # From the argument to the end that is further from the shape, in the logarithm of the variable.
    b, y = select(large, a, 20.0), select(large, x, 20.0)
    is_low = y < b
    side = select(is_low, -1.0, 1.0)
    gap = side * (y - b)
    tail = _integral_of_exp(lambda v: -gap * abs(expm1(side * v)) - b * _exp_less(side * v), 1.0 / (sqrt(b) + gap))
    tail = exp(_gamma_fall(b, y)) * sqrt(b / (2.0 * pi)) * tail
    return select(large, select(is_low, tail, 1.0 - tail), p), select(large, select(is_low, 1.0 - tail, tail), q)
# Beyond the last term that changes a digit there is what changes none of the derivatives. The continued fraction ends where the shape is
# a whole number, its derivatives do not; so many of its terms are enough for all.
def _gamma_parts_of_small(a, x):
    is_low = x < select(a < 1.0, 0.5, a + 1.0)
    low = select(is_low, x, 0.0)
    term = 0.0 * x + 1.0
    total = term
    n = 1.0
    while any(term > 1e-21 * total):
        term = term * (low / (a + n))
        total = total + term
        n = n + 1.0
    high = select(is_low, a + 1.0, x)
    near = x < 600.0
    y = select(near, x, 1.0)
    z = select(near, 600.0, x)
    front = select(near, power(y, a) * exp(-y), exp(a * log(z) - z)) / special_gamma(a + 1.0)
    p = front * total
    # What is above, of shapes near zero: one less what is below, as exp(u) - 1 and a series without its first term.
    tiny = logical_and(is_low, a < 0.125)
    b, y = select(tiny, a, 0.0), select(tiny, x, 0.5)
    u = b * log(y) - _log_of_rise(0.0 * b + 1.0, b)
    power_of, rest = 1.0 + 0.0 * b, 0.0 * b
    for n in range(1, 24):
        power_of = power_of * (-y / n)
        rest = rest + power_of / (b + n)
    complement = select(tiny, -expm1(u) - exp(u) * b * rest, 1.0 - p)
    # Legendre's continued fraction, from its end.
    n = 1.0 * int(max(select(is_low, 0.0, 12.0 + 110.0 / high + 12.0 * power(a, 1.0 / 3.0))))
    rest = high + 2.0 * n + 1.0 - a
    while n > 0.0:
        rest = high + 2.0 * n - 1.0 - a - n * (n - a) / rest
        n = n - 1.0
    q = front * a / rest
    return select(is_low, p, 1.0 - q), select(is_low, complement, q)
# The logarithm of gamma(x + a) / gamma(x) for `a` below an eighth, with all its digits: Taylor's series, from 1 on.
def _log_of_rise(x, a):
    near = x < 1.0
    y = x + select(near, 1.0, 0.0)
    total = select(near, -log1p(a / select(near, x, 1.0)), 0.0)
    term = 1.0 + 0.0 * a
    for k in range(20):
        term = term * (a / (k + 1.0))
        total = total + term * polygamma_of(k, y)
    return total
# What the logarithm of the gamma function is more than the formula of Stirling, for 20 and above.
def _stirling(x):
    s = 1.0 / (x * x)
    return (1.0 / 12.0 - s * (1.0 / 360.0 - s * (1.0 / 1260.0 - s * (1.0 / 1680.0 - s * (1.0 / 1188.0 - s * 691.0 / 360360.0))))) / x

# The beta functions.
def special_betaln(a, b):
    return _narrow_like_all((a, b), _betaln(*_aligned(a, b)))
def _betaln(a, b):
    p, q = select(a >= b, a, b), select(a >= b, b, a)
    large = logical_and(p >= 20.0, q > 0.0)
    r = select(large, p, 20.0)
    t = select(large, q, 1.0)
    far = gammaln(t) + _betaln_beside_gamma(r, t)
    u, w = select(large, 1.0, p), select(large, 1.0, q)
    # Both are large.
    both = logical_and(large, q >= 20.0)
    v = select(both, q, 20.0)
    far_both = -r * log1p(v / r) - v * log1p(r / v) + 0.5 * log(1.0 / r + 1.0 / v) + log(sqrt(2.0 * pi)) + _stirling(r) + _stirling(v) - _stirling(r + v)
    return select(both, far_both, select(large, far, gammaln(u) + gammaln(w) - gammaln(u + w)))
# The logarithm of gamma(r) / gamma(r + t) for large r.
def _betaln_beside_gamma(r, t):
    return (0.5 - r) * log1p(t / r) - t * log(r + t) + t + _stirling(r) - _stirling(r + t)
def special_beta(a, b):
    return _narrow_like_all((a, b), _beta(*_aligned(a, b)))
def _beta(a, b):
    small = logical_and(abs(a) < 20.0, abs(b) < 20.0)
    p, q = select(small, a, 1.0), select(small, b, 1.0)
    u, v = select(small, 1.0, a), select(small, 1.0, b)
    large = special_gammasgn(u) * special_gammasgn(v) * special_gammasgn(u + v) * exp(_betaln(u, v))
    return select(small, special_gamma(p) * special_rgamma(p + q) * special_gamma(q), large)
def special_betainc(a, b, x):
    return _narrow_like_all((a, b, x), _sloped(_betainc_value, _beta_density, (_doubles(a), _doubles(b), _doubles(x))))
# At the ends by powers, which have derivatives there.
def _beta_density(a, b, x):
    a, b, x = _aligned(a, b, x)
    is_end = logical_or(x == 0.0, x == 1.0)
    far = exp(_log_beta_density(a, b, select(is_end, 0.5, x)))
    end = select(is_end, x, 0.0)
    return select(is_end, power(end, a - 1.0) * power(1.0 - end, b - 1.0) * exp(minimum(-_betaln(a, b), 700.0)), far)
def _log_beta_density(a, b, x):
    a, b, x = _aligned(a, b, x)
    large = logical_and(logical_and(a >= 20.0, b >= 20.0), logical_and(x > 0.0, x < 1.0))
    y = select(large, x, 0.5)
    fall, size = _beta_front(select(large, a, 20.0), select(large, b, 20.0), y, 1.0 - y)
    far = fall + log(size) - log(y) - log1p(-y)
    p, q, y = select(large, 1.0, a), select(large, 1.0, b), select(large, 0.5, x)
    return select(large, far, special_xlogy(p - 1.0, y) + special_xlog1py(q - 1.0, -y) - _betaln(p, q))
# x**a c**b / beta(a, b) where c is 1 - x, as an exponent and a factor; for large shapes around its greatest value.
def _beta_front(a, b, x, c):
    large = logical_and(a >= 20.0, b >= 20.0)
    p, q = select(large, a, 20.0), select(large, b, 20.0)
    gap, whole = q * x - p * c, p + q
    far = p * _log_less(gap / p, x * (whole / p)) + q * _log_less(-gap / q, c * (whole / q))
    far = far - _stirling(p) - _stirling(q) + _stirling(whole)
    size = sqrt(p / whole * (q / (2.0 * pi)))
    # Of a shape near zero by what is smooth there.
    p, q = select(large, 1.0, a), select(large, 1.0, b)
    near = p * _log_of_part(x, c) + q * _log_of_part(c, x)
    p, q = select(p >= q, p, q), select(p >= q, q, p)
    wide = p >= 20.0
    near = near - select(wide, _betaln_beside_gamma(select(wide, p, 20.0), q), 0.0)
    r = select(wide, 1.0, p)
    near_size = special_rgamma(q) * select(wide, 1.0, special_rgamma(r) * special_gamma(r + select(wide, 1.0, q)))
    return select(large, far, near), select(large, size, near_size)
def _log_of_part(x, c):
    less = x < 0.5
    return select(less, log(select(less, x, 1.0)), log1p(-select(less, 0.0, c)))
def _betainc_value(a, b, x):
    a, b, x = _aligned(a, b, x)
    is_fit = logical_and(logical_and(a > 0.0, b > 0.0), logical_and(x > 0.0, x < 1.0))
    y = select(is_fit, x, 0.5)
    found = _betainc_inside(select(is_fit, a, 1.0), select(is_fit, b, 1.0), y, 1.0 - y)
    is_end = logical_and(logical_and(a > 0.0, b > 0.0), logical_or(x == 0.0, x == 1.0))
    return select(is_fit, found, select(is_end, x, nan))
# The part on the side of x, or one less that of c = 1 - x, whose shapes and arguments are then p, q, t and u.
def _betainc_inside(a, b, x, c):
    small = logical_and(a < 20.0, b < 20.0)
    turned = select(small, x > (a + 1.0) / (a + b + 2.0), b * x > a * c)
    p, q, t, u = select(turned, b, a), select(turned, a, b), select(turned, c, x), select(turned, x, c)
    fall, size = _beta_front(p, q, t, u)
    front = exp(fall) * size
    # So near to its end that the other side is a short series.
    late = logical_and(p >= 20.0, (p + q) * u < 1.0)
    by_series = logical_and(p < 20.0, logical_or(logical_not(small), p < 0.125))
    first = logical_or(late, by_series)
    r = select(first, select(late, q, p), 1.0)
    w = select(first, select(late, p, q), 1.0)
    y = select(first, select(late, u, t), 0.25)
    tiny = r < 0.125
    series = front * (1.0 + _beta_series(select(tiny, 1.0, r), select(tiny, 1.0, w), select(tiny, 0.25, y))) / select(tiny, 1.0, r)
    by_fraction = logical_and(small, logical_not(by_series))
    fraction = front / _beta_fraction(select(by_fraction, p, 1.0), select(by_fraction, q, 1.0), select(by_fraction, t, 0.25)) / p
    by_integral = logical_not(logical_or(small, first))
    integral = front * _beta_integral(select(by_integral, p, 20.0), select(by_integral, q, 20.0), select(by_integral, t, 0.5), select(by_integral, u, 0.5))
    part = select(first, series, select(by_fraction, fraction, integral))
    part_of_tiny, other_of_tiny = _beta_parts_of_tiny(select(tiny, r, 0.0), select(tiny, w, 1.0), select(tiny, y, 0.5))
    return select(turned != late, select(tiny, other_of_tiny, 1.0 - part), select(tiny, part_of_tiny, part))
# For p near zero: what is left of one is by exp(v) - 1 and a series without its first term.
def _beta_parts_of_tiny(p, q, t):
    # A factor of q / (p + q) is in what is near zero, too, if q is much nearer.
    nearer = q < p
    factor = select(nearer, q / (p + select(nearer, q, 1.0)), 1.0)
    v = p * log(t) - _log_of_rise(0.0 * p + 1.0, p) + _log_of_rise(q + select(nearer, 1.0, 0.0), p)
    term, rest = 0.0 * p + 1.0, 0.0 * p
    for n in range(1, 70):
        term = term * ((n - q) / n * t)
        rest = rest + term / (p + n)
    part = factor * exp(v) * (1.0 + p * rest)
    return part, select(nearer, 1.0 - part, -expm1(v) - exp(v) * p * rest)
# The hypergeometric series, without its first term, which is 1.
def _beta_series(p, q, t):
    term = 0.0 * t + 1.0
    total = 0.0 * t
    n = 0.0
    while any(term > 1e-21 * (1.0 + total)):
        term = term * ((p + q + n) / (p + 1.0 + n) * t)
        total = total + term
        n = n + 1.0
    return total
# From t to zero in the logarithm of t / u, for large p.
def _beta_integral(p, q, t, u):
    gap, whole = p * u - q * t, p + q
    less = t < 0.5
    side, part = select(less, -1.0, 1.0), select(less, t, u)
    def exponent(v):
        z = part * expm1(side * v)
        near = abs(z) < 0.5
        inner = select(near, z, 0.0)
        sum_ = select(near, _log_less(inner, 1.0 + inner) + part * _exp_less(select(near, side * v, 0.0)), log1p(select(near, 0.0, z)) - part * side * v)
        return -gap * v - whole * sum_
    return _integral_of_exp(exponent, 1.0 / (gap + sqrt(whole * t * u)))
# The continued fraction, from its end, on the side where it converges fast (Numerical Recipes, 6.4). It ends where a shape is a whole
# number, its derivatives do not; so many of its terms are enough for all.
def _beta_fraction(p, q, t):
    m = 1.0 * int(max(8.0 + 6.0 * power(maximum(p, q), 1.0 / 3.0) + 12.0 / sqrt(1.0 - t)))
    rest = 0.0 * t + 1.0
    while m > 0.0:
        rest = 1.0 - (p + m) * (p + q + m) * t / ((p + 2.0 * m) * (p + 2.0 * m + 1.0)) / rest
        rest = 1.0 + m * (q - m) * t / ((p + 2.0 * m - 1.0) * (p + 2.0 * m)) / rest
        m = m - 1.0
    return 1.0 - (p + q) * t / (p + 1.0) / rest

def special_rgamma(z):
    x = _floats(z)
    # Below a half by reflection, which is smooth at the poles. Where the gamma function of 1 - x overflows some factors come after the sine.
    low = x < 0.5
    factors = select(x < -165.0, 8.0, 0.0)
    inside = select(low, x, 0.0)
    sine = select(inside < 0.0, -_sine_of_pi(select(inside < 0.0, -inside, 0.0)), _sine_of_pi(select(inside < 0.0, 0.0, inside)))
    reflected = strong_product(sine / pi, special_gamma(1.0 - inside - factors))
    for k in range(8):
        reflected = reflected * select(k < factors, k - 7.0 - inside, 1.0)
    size = gammaln(select(low, 1.0, x))
    above = stopped(1.0 / special_gamma(select(low, 1.0, x))) * exp(stopped(size) - size)
    return _narrow_like(x, select(low, reflected, above))
def special_gammasgn(x):
    x = _floats(x)
    sign = select(floor(x) % 2.0 == 0.0, 1.0, -1.0)
    return _narrow_like(x, select(x > 0.0, 1.0, select(x == floor(x), select(x == 0.0, copysign(1.0, x), nan), sign)))
def special_multigammaln(a, d):
    x = _doubles(a)
    d = constant(d, "the dimension")
    total = d * (d - 1) / 4.0 * log(pi) + 0.0 * x
    for j in _numbers(d):
        total = total + gammaln(x - j / 2.0)
    return _narrow_like(array_of(a), total)
def special_erfcinv(y):
    y = array_of(y)
    return _narrow_like(y, -special_ndtri(0.5 * _doubles(y)) * sqrt(0.5))
def special_log_ndtr(x):
    x = array_of(x)
    return _narrow_like(x, _log_below(_doubles(x)))
def special_entr(x):
    x = _floats(x)
    return select(x < 0.0, -inf, -special_xlogy(x, select(x < 0.0, 1.0, x)))
def special_rel_entr(x, y):
    p, q = _aligned(x, y)
    is_fit = logical_and(p >= 0.0, logical_or(q > 0.0, p + q == 0.0))
    p, q = select(is_fit, p, 1.0), select(is_fit, q, 1.0)
    # The quotient has more digits, and no derivatives where it is zero; its tangent overflows where it is far from 1.
    is_near = logical_and(p > 1e-150, q > 1e-150)
    ratio = select(is_near, log(select(is_near, p, 1.0) / select(is_near, q, 1.0)), log(p) - log(q))
    return _narrow_like_all((x, y), select(is_fit, strong_product(p, ratio), select(isnan(_doubles(x) + _doubles(y)), nan, inf)))
def special_kl_div(x, y):
    p, q = _aligned(x, y)
    near = logical_and(logical_and(p > 1e-150, q > 1e-150), abs(q - p) < 0.5 * p)
    r, s = select(near, p, 1.0), select(near, q, 1.0)
    return _narrow_like_all((x, y), select(near, -r * _log_less((s - r) / r, s / r), special_rel_entr(x, y) - p + q))
