# scipy.special.

# The greatest element, rounded: a shift that avoids overflow as well, and that is constant to derivatives.
def _shift(a, axis):
    shift = rint(max(a, axis, keepdims=True))
    return select(isfinite(shift), shift, 0.0)
# Of negative infinities alone it is one, and its derivative is zero.
def special_logsumexp(a, axis=None, *, keepdims=False):
    a = _floats(a)
    shift = _shift(a, axis)
    total = sum(exp(a - shift), axis, keepdims=True)
    nothing = total == 0.0
    return _kept(select(nothing, -inf, log(select(nothing, 1.0, total)) + shift), _axes(axis, ndim(a)), keepdims)
def special_softmax(x, axis=None):
    x = _floats(x)
    e = exp(x - _shift(x, axis))
    return e / sum(e, axis, keepdims=True)
def special_log_softmax(x, axis=None):
    x = _floats(x)
    shifted = x - _shift(x, axis)
    return shifted - log(sum(exp(shifted), axis, keepdims=True))
def special_logit(x):
    x = _floats(x)
    s = 2.0 * (x - 0.5)
    near = logical_and(x >= 0.3, x <= 0.65)
    return select(near, log1p(s) - log1p(-s), log(x / (1.0 - x)))
# Strong products are zero where the first factor is, whatever the second one is, and so are their derivatives with respect to the second.
def special_xlogy(x, y):
    return _narrow_like_all((x, y), _times(_doubles(x), log(_doubles(y)), _doubles(y)))
def special_xlog1py(x, y):
    return _narrow_like_all((x, y), _times(_doubles(x), log1p(_doubles(y)), _doubles(y)))
# Only the argument of a logarithm that is no number makes what is zero times it no number.
def _times(x, logarithm, y):
    return select(isnan(y), nan, strong_product(x, logarithm))
def special_digamma(x):
    return special_polygamma(0, x)
def special_psi(x):
    return special_polygamma(0, x)
def special_polygamma(n, x):
    return polygamma_of(array_of(n), array_of(x))
# Lanczos' approximation with the constants of Boost, as CPython computes it. The derivatives are those of its logarithm, so the value
# is a constant to them.
def special_gamma(z):
    x = _floats(z)
    value = stopped(_gamma_value(x))
    inside = isfinite(gammaln(x))
    return _narrow_like(x, select(inside, value * exp(gammaln(select(inside, x, 1.0)) - stopped(gammaln(select(inside, x, 1.0)))), value))
def math_gamma(x):
    if not x > 0.0 and (x == floor(x) or isnan(x)) and not isnan(x):
        raise ValueError("`gamma` of zero or of a negative integer")
    return special_gamma(float(x))
def _gamma_value(x):
    size = abs(x)
    # Beyond this it is infinite, or zero.
    a = minimum(select(isnan(x), 1.0, size), 185.0)
    y = a + 5.524680040776729583740234375
    excess = y - a - 5.524680040776729583740234375
    excess = excess * 6.024680040776729583740234375 / y
    ratio = _lanczos(maximum(a, 1e-300))
    half = power(y, a / 2.0 - 0.25)
    positive = ratio / exp(y) * (1.0 + excess) * half * half
    negative = -pi / _sine_of_pi(a) / maximum(a, 1e-300) * exp(y) / ratio * (1.0 - excess) / half / half
    result = select(x < 0.0, negative, positive)
    result = select(logical_and(x == floor(x), logical_and(x > 0.0, x < 23.0)), rint(result), result)
    result = select(size < 1e-20, 1.0 / x, result)
    result = select(x > 171.7, inf, result)
    return select(logical_or(isnan(x), logical_and(x < 0.0, x == floor(x))), nan, result)
def _lanczos(x):
    over = (23531376880.410759688572007674451636754734846804940, 42919803642.649098768957899047001988850926355848959,
        35711959237.355668049440185451547166705960488635843, 17921034426.037209699919755754458931112671403265390,
        6039542586.3520280050642916443072979210699388420708, 1439720407.3117216736632230727949123939715485786372,
        248874557.86205415651146038641322942321632125127801, 31426415.585400194380614231628318205362874684987640,
        2876370.6289353724412254090516208496135991145378768, 186056.26539522349504029498971604569928220784236328,
        8071.6720023658162106380029022722506138218516325024, 210.82427775157934587250973392071336271166969580291,
        2.5066282746310002701649081771338373386264310793408)
    under = (0.0, 39916800.0, 120543840.0, 150917976.0, 105258076.0, 45995730.0, 13339535.0, 2637558.0, 357423.0, 32670.0, 1925.0, 66.0, 1.0)
    # In powers of 1 / x for what is large.
    near = x < 5.0
    t = select(near, x, 1.0 / x)
    up, down = 0.0 * t, 0.0 * t
    for i in range(13):
        up = up * t + select(near, over[12 - i], over[i])
        down = down * t + select(near, under[12 - i], under[i])
    return up / down
def _sine_of_pi(x):
    y = remainder_of(x, 2.0)
    quarter = rint(2.0 * y)
    r = pi * (y - 0.5 * quarter)
    sign = select(logical_and(quarter >= 2.0, quarter < 4.0), -1.0, 1.0)
    return sign * select(logical_or(quarter == 1.0, quarter == 3.0), cos(r), sin(r))

def special_ndtr(x):
    x = array_of(x)
    return _narrow_like(x, _below(_doubles(x)))
# By rational functions (Wichura 1988, algorithm AS 241); the derivative is that of the inverse.
def special_ndtri(y):
    p = _doubles(y)
    return _narrow_like(array_of(y), _ruled(_ndtri_value, _ndtri_rule, p))
def special_erfinv(y):
    p = _doubles(y)
    return _narrow_like(array_of(y), _ruled(_erfinv_value, _erfinv_rule, p))
def stats_norm_ppf(q, loc=0.0, scale=1.0):
    return _doubles(loc) + _doubles(scale) * special_ndtri(_doubles(q))
def _ndtri_value(p):
    return _quantile_of_normal(p - 0.5, select(p < 0.5, p, 1.0 - p))
def _ndtri_rule(z, p):
    x = special_ndtri(p)
    return lambda g: (strong_product(g, sqrt(2.0 * pi) * exp(x * x / 2.0)),)
def _erfinv_value(y):
    return _quantile_of_normal(0.5 * y, 0.5 * (1.0 - abs(y))) * sqrt(0.5)
def _erfinv_rule(z, y):
    x = special_erfinv(y)
    return lambda g: (strong_product(g, pi / 2.0 / sqrt(pi) * exp(x * x)),)
# Whether numbers have more digits than floats, for which the series and fits here are.
def _have_more_digits():
    return 1.0 + 1e-20 > 1.0
# By how much the probability is more than a half, and by what the nearer end is away.
def _quantile_of_normal(q, tail):
    central = abs(q) <= 0.425
    r = select(central, 0.180625 - q * q, 0.0)
    up = _horner((2509.0809287301226727, 33430.575583588128105, 67265.770927008700853, 45921.953931549871457, 13731.693765509461125,
        1971.5909503065514427, 133.14166789178437745, 3.3871328727963666080), r)
    down = _horner((5226.4952788528545610, 28729.085735721942674, 39307.895800092710610, 21213.794301586595867, 5394.1960214247511077,
        687.18700749205790830, 42.313330701600911252, 1.0), r)
    middle = q * up / down
    r = sqrt(-log(select(logical_or(central, logical_not(tail > 0.0)), 0.05, tail)))
    near = r <= 5.0
    s = r - select(near, 1.6, 5.0)
    up = select(near, _horner((7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
        1.27045825245236838258, 3.64784832476320460504, 5.76949722146069140550, 4.63033784615654529590, 1.42343711074968357734), s),
        _horner((2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
        2.96560571828504891230e-1, 1.78482653991729133580, 5.46378491116411436990, 6.65790464350110377720), s))
    down = select(near, _horner((1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
        1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940, 2.05319162663775882187, 1.0), s),
        _horner((2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
        1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0), s))
    outer = copysign(up / down, q)
    outer = select(tail == 0.0, copysign(inf, q), outer)
    z = select(tail >= 0.0, select(central, middle, outer), nan)
    return _to_all_digits(z, q, tail, central) if _have_more_digits() else z
# By Newton's method, whose steps become smaller until they are of the size of rounding.
def _to_all_digits(z, q, tail, central):
    inside = logical_and(tail > 0.0, isfinite(z))
    x = select(inside, z, 0.0)
    size, before = 1.0, inf
    while size < before:
        far = sign(q) * (tail - 0.5 * erfc(abs(x) * sqrt(0.5)))
        excess = select(central, 0.5 * erf(x * sqrt(0.5)) - q, far)
        step = select(inside, excess * sqrt(2.0 * pi) * exp(x * x / 2.0), 0.0)
        x = x - step
        size, before = max(abs(step)), size
    return select(inside, x, z)
def _horner(coefficients, x):
    y = 0.0 * x
    for c in coefficients:
        y = y * x + c
    return y

# Numbers of choices, as floats.
def special_factorial(n, exact=False):
    return _factorial_of_int(n) if constant(exact, "`exact`") else _factorial(array_of(n))
def _factorial_of_int(n):
    return math_factorial(n)
def _factorial(n):
    n = _floats(n)
    return select(n < 0.0, 0.0, special_gamma(select(n < 0.0, 0.0, n) + 1.0))
def special_comb(N, k, *, exact=False, repetition=False):
    if constant(repetition, "`repetition`"):
        return special_comb(N + k - 1, k, exact=exact)
    return _choices(N, k, math_comb) if constant(exact, "`exact`") else _combinations_of(_doubles(N), _doubles(k))
def special_perm(N, k, exact=False):
    return _choices(N, k, math_perm) if constant(exact, "`exact`") else _permutations_of(_doubles(N), _doubles(k))
def _choices(n, k, count):
    return 0 if n < 0 or k < 0 or k > n else count(n, k)
def _combinations_of(n, k):
    inside = logical_and(logical_and(k >= 0.0, n >= 0.0), k <= n)
    return select(inside, special_binom(select(inside, n, 1.0), select(inside, k, 0.0)), 0.0)
def _permutations_of(n, k):
    inside = logical_and(logical_and(k >= 0.0, n >= 0.0), k <= n)
    return select(inside, special_poch(select(inside, n - k, 0.0) + 1.0, select(inside, k, 0.0)), 0.0)
def special_binom(x, y):
    return _narrow_like_all((x, y), _binom(*_aligned(_doubles(x), _doubles(y))))
def _binom(x, y):
    far = logical_and(logical_and(x > 20.0, y > 0.0), x > y)
    a, b = select(far, 1.0, x), select(far, 0.5, y)
    near = special_rgamma(b + 1.0) * special_rgamma(a - b + 1.0) * special_gamma(a + 1.0)
    a, b = select(far, x, 2.0), select(far, y, 1.0)
    return select(far, exp(-special_betaln(a - b + 1.0, b + 1.0) - log1p(a)), near)
def special_poch(z, m):
    return _narrow_like_all((z, m), _poch(*_aligned(_doubles(z), _doubles(m))))
def _poch(z, m):
    far = logical_and(z > 20.0, z + m > 20.0)
    near = special_gamma(select(far, 1.0, z + m)) * special_rgamma(select(far, 1.0, z))
    return select(far, exp(gammaln(select(far, z + m, 1.0)) - gammaln(select(far, z, 1.0))), near)
def special_exp10(x):
    return power(10.0, _floats(x))
def special_exprel(x):
    x = _floats(x)
    near = abs(x) < 0.5
    y = select(near, x, 0.0)
    series = 0.0 * y
    for k in range(17):
        series = (series * y + 1.0) / (17.0 - k)
    z = select(near, 1.0, x)
    return select(near, series, expm1(z) / z)
def special_cosm1(x):
    half = sin(0.5 * _floats(x))
    return -2.0 * half * half
def special_powm1(x, y):
    return expm1(special_xlogy(y, x))
def special_radian(d, m, s):
    return (_doubles(d) + _doubles(m) / 60.0 + _doubles(s) / 3600.0) * (pi / 180.0)
def special_sindg(x):
    return sin(_floats(x) * (pi / 180.0))
def special_cosdg(x):
    return cos(_floats(x) * (pi / 180.0))
def special_tandg(x):
    return tan(_floats(x) * (pi / 180.0))
def special_boxcox(x, lmbda):
    x, power_of = _floats(x), _floats(lmbda)
    return log(x) * special_exprel(power_of * log(x))
def special_boxcox1p(x, lmbda):
    x, power_of = _floats(x), _floats(lmbda)
    return log1p(x) * special_exprel(power_of * log1p(x))
def special_inv_boxcox(y, lmbda):
    y, power_of = _floats(y), _floats(lmbda)
    return exp(_log_of_part_of(power_of, y))
def special_inv_boxcox1p(y, lmbda):
    return expm1(_log_of_part_of(_floats(lmbda), _floats(y)))
def special_huber(delta, r):
    delta, r = _floats(delta), abs(_floats(r))
    return select(delta < 0.0, inf, select(r <= delta, 0.5 * r * r, delta * (r - 0.5 * delta)))
def special_pseudo_huber(delta, r):
    delta, r = _floats(delta), _floats(r)
    u = r / delta
    return delta * delta * (u * u / (1.0 + sqrt(1.0 + u * u)))
def special_chdtr(v, x):
    return _narrow_like_all((v, x), special_gammainc(_doubles(v) / 2.0, _doubles(x) / 2.0))
def special_chdtrc(v, x):
    return _narrow_like_all((v, x), special_gammaincc(_doubles(v) / 2.0, _doubles(x) / 2.0))
def special_fdtr(dfn, dfd, x):
    return _narrow_like_all((dfn, dfd, x), stats_f_cdf(x, dfn, dfd))
def special_fdtrc(dfn, dfd, x):
    return _narrow_like_all((dfn, dfd, x), stats_f_sf(x, dfn, dfd))
def special_gdtr(a, b, x):
    return _narrow_like_all((a, b, x), special_gammainc(_doubles(b), _doubles(a) * _doubles(x)))
def special_gdtrc(a, b, x):
    return _narrow_like_all((a, b, x), special_gammaincc(_doubles(b), _doubles(a) * _doubles(x)))
def special_pdtr(k, m):
    return special_gammaincc(floor(_doubles(k)) + 1.0, m)
def special_pdtrc(k, m):
    return special_gammainc(floor(_doubles(k)) + 1.0, m)
def special_bdtr(k, n, p):
    return _narrow_like_all((k, n, p), _binomial_below(_doubles(n), _doubles(p), floor(_doubles(k))))
def special_bdtrc(k, n, p):
    return _narrow_like_all((k, n, p), _binomial_above(_doubles(n), _doubles(p), floor(_doubles(k))))

# Units of `scipy.constants`.
def constants_convert_temperature(val, old_scale, new_scale):
    kelvin = _of_scale(array_of(val), old_scale, True)
    return _of_scale(kelvin, new_scale, False)
def _of_scale(x, scale, to_kelvin):
    scale = _str_lower(scale)
    if scale == "kelvin" or scale == "k":
        return x * 1.0
    if scale == "celsius" or scale == "c":
        return x + 273.15 if to_kelvin else x - 273.15
    if scale == "fahrenheit" or scale == "f":
        return (x - 32.0) * 5.0 / 9.0 + 273.15 if to_kelvin else (x - 273.15) * 9.0 / 5.0 + 32.0
    if scale == "rankine" or scale == "r":
        return x * 5.0 / 9.0 if to_kelvin else x * 9.0 / 5.0
    return refuse(("there is no scale ", scale))
def constants_lambda2nu(lambda_):
    return 299792458.0 / array_of(lambda_)
def constants_nu2lambda(nu):
    return 299792458.0 / array_of(nu)
