# scipy.stats: more distributions, what is below a value and above it, and quantiles. A density outside of the support is zero; there the
# formulas are of a value inside.

def _log_density(y, low, high, inside, scale, formula):
    is_inside = logical_and(y >= low, y <= high)
    return select(is_inside, formula(select(is_inside, y, inside)), -inf) - log(_doubles(scale))
def _log_mass(k, low, high, formula):
    is_inside = logical_and(logical_and(k >= low, k <= high), k == floor(k))
    return select(is_inside, formula(select(is_inside, k, low)), -inf)
def _at_quantile(z, loc, scale):
    return _doubles(loc) + _doubles(scale) * z
# A probability, and NaN for what is none.
def _probability(q):
    q = _doubles(q)
    return select(logical_and(q >= 0.0, q <= 1.0), q, nan)

# Where a function that rises or falls takes a value: by Newton's method in the logarithm of a tail, between bounds. `point` gives the
# argument for a number of any size, and its slope. The derivative is that of the inverse.
def _inverse(tail, slope, point, args, q, rises=True):
    q = _doubles(q)
    args = [_doubles(one) for one in args]
    return _ruled(_inverse_value, _inverse_rule, tail, slope, point, rises, tuple(args), q)
def _inverse_rule(y, tail, slope, point, rises, args, q):
    x = _ruled(_inverse_value, _inverse_rule, tail, slope, point, rises, args, q)
    steep = slope(*args, x)
    def back(g):
        g = strong_product(g, 1.0 / steep)
        by_args = gradus_vjp(lambda *args: tail(*args, x), *args)[1](-g)
        return (None, None, None, None, by_args, _summed_like(g, q))
    return back
def _inverse_value(tail, slope, point, rises, args, q):
    sizes = shape_of(q)
    for one in args:
        sizes = _joined(sizes, shape_of(one))
    inside = logical_and(q > 0.0, q < 1.0)
    p = broadcast(select(inside, q, 0.5), sizes)
    low, high = -710.0 + 0.0 * p, 710.0 + 0.0 * p
    s, size, rounds = 0.0 * p, inf, 0
    while size > 1e-15 and rounds < 200:
        s, low, high, size = _nearer(tail, slope, point, rises, args, p, s, low, high)
        rounds = rounds + 1
    if _have_more_digits():
        for _ in range(4):
            s, low, high, size = _nearer(tail, slope, point, rises, args, p, s, -inf, inf)
    end = select((q == 1.0) == rises, point(inf + 0.0 * p)[0], point(-inf + 0.0 * p)[0])
    return select(inside, point(s)[0], select(logical_or(q == 0.0, q == 1.0), end, nan))
def _nearer(tail, slope, point, rises, args, p, s, low, high):
    x, by = point(s)
    t, steep = tail(*args, x), slope(*args, x) * by
    rest = t - p
    is_low = (rest < 0.0) == rises
    low, high = select(is_low, s, low), select(is_low, high, s)
    small = logical_and(p < 0.5, t > 0.0)
    step = select(small, t * log(select(small, t, 1.0) / p), rest) / select(steep == 0.0, nan, steep)
    new = s - step
    new = select(logical_and(new > low, new < high), new, 0.5 * (low + high))
    done = logical_or(rest == 0.0, high - low < 4e-16 * (1.0 + abs(s)))
    new = select(done, s, new)
    return new, low, high, max(abs(new - s) / (1.0 + abs(s)))
# Numbers above zero, between zero and one, and all.
def _above_zero(s):
    return exp(s), exp(s)
def _below_one(s):
    return expit(s), expit(s) * expit(-s)
def _all_numbers(s):
    return sinh(s), cosh(s)
def special_gammaincinv(a, y):
    return _inverse(special_gammainc, _gamma_density, _above_zero, (a,), y)
def special_gammainccinv(a, y):
    return _inverse(special_gammaincc, _gammaincc_slope, _above_zero, (a,), y, False)
def special_betaincinv(a, b, y):
    return _narrow_like_all((a, b, y), _inverse(special_betainc, _beta_density, _below_one, (a, b), y))
def special_betaincc(a, b, x):
    return special_betainc(b, a, 1.0 - array_of(x))
def special_betainccinv(a, b, y):
    return 1.0 - special_betaincinv(b, a, y)
def special_stdtr(df, t):
    return _narrow_like_all((df, t), stats_t_cdf(t, df))
def special_stdtrit(df, p):
    return _narrow_like_all((df, p), _inverse(_t_cumulated, _t_density, _all_numbers, (df,), p))
def _t_cumulated(df, y):
    return stats_t_cdf(y, df)

# A function of a value that is in the support, else what it is below or above.
def _in_support(y, low, high, inner, below, above, formula):
    inside = logical_and(y > low, y < high)
    return select(inside, formula(select(inside, y, inner)), select(y <= low, below, select(y >= high, above, nan)))

def stats_weibull_min_logpdf(x, c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return _log_density(_standard(x, loc, scale), 0.0, inf, 1.0, scale, lambda y: log(c) + special_xlogy(c - 1.0, y) - power(y, c))
def stats_weibull_min_pdf(x, c, loc=0.0, scale=1.0):
    return exp(stats_weibull_min_logpdf(x, c, loc, scale))
def stats_weibull_min_cdf(x, c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 0.0, 1.0, lambda y: -expm1(-power(y, c)))
def stats_weibull_min_sf(x, c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 1.0, 0.0, lambda y: exp(-power(y, c)))
def stats_weibull_min_logcdf(x, c, loc=0.0, scale=1.0):
    return log(stats_weibull_min_cdf(x, c, loc, scale))
def stats_weibull_min_logsf(x, c, loc=0.0, scale=1.0):
    return log(stats_weibull_min_sf(x, c, loc, scale))
def stats_weibull_min_ppf(q, c, loc=0.0, scale=1.0):
    q = _probability(q)
    c = _doubles(c)
    return _at_quantile(power(-log1p(-q), 1.0 / c), loc, scale)
def stats_weibull_min_isf(q, c, loc=0.0, scale=1.0):
    return stats_weibull_min_ppf(1.0 - _doubles(q), c, loc, scale)
def stats_weibull_min_mean(c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return _at_quantile(special_gamma(1.0 + 1.0 / c), loc, scale)
def stats_weibull_min_var(c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return (special_gamma(1.0 + 2.0 / c) - special_gamma(1.0 + 1.0 / c) ** 2) * _doubles(scale) ** 2
def stats_weibull_min_std(c, loc=0.0, scale=1.0):
    return sqrt(stats_weibull_min_var(c, loc, scale))

def stats_gumbel_r_logpdf(x, loc=0.0, scale=1.0):
    return _log_density(_standard(x, loc, scale), -inf, inf, 0.0, scale, lambda y: -y - exp(-y))
def stats_gumbel_r_pdf(x, loc=0.0, scale=1.0):
    return exp(stats_gumbel_r_logpdf(x, loc, scale))
def stats_gumbel_r_cdf(x, loc=0.0, scale=1.0):
    return _in_support(_standard(x, loc, scale), -inf, inf, 0.0, 0.0, 1.0, lambda y: exp(-exp(-y)))
def stats_gumbel_r_sf(x, loc=0.0, scale=1.0):
    return _in_support(_standard(x, loc, scale), -inf, inf, 0.0, 1.0, 0.0, lambda y: -expm1(-exp(-y)))
def stats_gumbel_r_logcdf(x, loc=0.0, scale=1.0):
    return log(stats_gumbel_r_cdf(x, loc, scale))
def stats_gumbel_r_logsf(x, loc=0.0, scale=1.0):
    return log(stats_gumbel_r_sf(x, loc, scale))
def stats_gumbel_r_ppf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(-log(-log(q)), loc, scale)
def stats_gumbel_r_isf(q, loc=0.0, scale=1.0):
    return stats_gumbel_r_ppf(1.0 - _doubles(q), loc, scale)
def stats_gumbel_r_mean(loc=0.0, scale=1.0):
    return _at_quantile(0.5772156649015329, loc, scale)
def stats_gumbel_r_var(loc=0.0, scale=1.0):
    return (pi * pi / 6.0) * _doubles(scale) ** 2
def stats_gumbel_r_std(loc=0.0, scale=1.0):
    return sqrt(stats_gumbel_r_var(loc, scale))

def stats_gumbel_l_logpdf(x, loc=0.0, scale=1.0):
    return _log_density(_standard(x, loc, scale), -inf, inf, 0.0, scale, lambda y: y - exp(y))
def stats_gumbel_l_pdf(x, loc=0.0, scale=1.0):
    return exp(stats_gumbel_l_logpdf(x, loc, scale))
def stats_gumbel_l_cdf(x, loc=0.0, scale=1.0):
    return _in_support(_standard(x, loc, scale), -inf, inf, 0.0, 0.0, 1.0, lambda y: -expm1(-exp(y)))
def stats_gumbel_l_sf(x, loc=0.0, scale=1.0):
    return _in_support(_standard(x, loc, scale), -inf, inf, 0.0, 1.0, 0.0, lambda y: exp(-exp(y)))
def stats_gumbel_l_logcdf(x, loc=0.0, scale=1.0):
    return log(stats_gumbel_l_cdf(x, loc, scale))
def stats_gumbel_l_logsf(x, loc=0.0, scale=1.0):
    return log(stats_gumbel_l_sf(x, loc, scale))
def stats_gumbel_l_ppf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(log(-log1p(-q)), loc, scale)
def stats_gumbel_l_isf(q, loc=0.0, scale=1.0):
    return stats_gumbel_l_ppf(1.0 - _doubles(q), loc, scale)
def stats_gumbel_l_mean(loc=0.0, scale=1.0):
    return _at_quantile(-0.5772156649015329, loc, scale)
def stats_gumbel_l_var(loc=0.0, scale=1.0):
    return (pi * pi / 6.0) * _doubles(scale) ** 2
def stats_gumbel_l_std(loc=0.0, scale=1.0):
    return sqrt(stats_gumbel_l_var(loc, scale))

def stats_pareto_logpdf(x, b, loc=0.0, scale=1.0):
    b = _doubles(b)
    return _log_density(_standard(x, loc, scale), 1.0, inf, 2.0, scale, lambda y: log(b) - (b + 1.0) * log(y))
def stats_pareto_pdf(x, b, loc=0.0, scale=1.0):
    return exp(stats_pareto_logpdf(x, b, loc, scale))
def stats_pareto_cdf(x, b, loc=0.0, scale=1.0):
    b = _doubles(b)
    return _in_support(_standard(x, loc, scale), 1.0, inf, 2.0, 0.0, 1.0, lambda y: -expm1(-b * log(y)))
def stats_pareto_sf(x, b, loc=0.0, scale=1.0):
    b = _doubles(b)
    return _in_support(_standard(x, loc, scale), 1.0, inf, 2.0, 1.0, 0.0, lambda y: power(y, -b))
def stats_pareto_logcdf(x, b, loc=0.0, scale=1.0):
    return log(stats_pareto_cdf(x, b, loc, scale))
def stats_pareto_logsf(x, b, loc=0.0, scale=1.0):
    return log(stats_pareto_sf(x, b, loc, scale))
def stats_pareto_ppf(q, b, loc=0.0, scale=1.0):
    q = _probability(q)
    b = _doubles(b)
    return _at_quantile(exp(-log1p(-q) / b), loc, scale)
def stats_pareto_isf(q, b, loc=0.0, scale=1.0):
    return stats_pareto_ppf(1.0 - _doubles(q), b, loc, scale)
def stats_pareto_mean(b, loc=0.0, scale=1.0):
    b = _doubles(b)
    return _at_quantile(select(b > 1.0, b / (b - 1.0), inf), loc, scale)
def stats_pareto_var(b, loc=0.0, scale=1.0):
    b = _doubles(b)
    return (select(b > 2.0, b / (b - 2.0) / (b - 1.0) ** 2, inf)) * _doubles(scale) ** 2
def stats_pareto_std(b, loc=0.0, scale=1.0):
    return sqrt(stats_pareto_var(b, loc, scale))

def stats_rayleigh_logpdf(x, loc=0.0, scale=1.0):
    return _log_density(_standard(x, loc, scale), 0.0, inf, 1.0, scale, lambda y: log(y) - y * y / 2.0)
def stats_rayleigh_pdf(x, loc=0.0, scale=1.0):
    return exp(stats_rayleigh_logpdf(x, loc, scale))
def stats_rayleigh_cdf(x, loc=0.0, scale=1.0):
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 0.0, 1.0, lambda y: -expm1(-y * y / 2.0))
def stats_rayleigh_sf(x, loc=0.0, scale=1.0):
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 1.0, 0.0, lambda y: exp(-y * y / 2.0))
def stats_rayleigh_logcdf(x, loc=0.0, scale=1.0):
    return log(stats_rayleigh_cdf(x, loc, scale))
def stats_rayleigh_logsf(x, loc=0.0, scale=1.0):
    return log(stats_rayleigh_sf(x, loc, scale))
def stats_rayleigh_ppf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(sqrt(-2.0 * log1p(-q)), loc, scale)
def stats_rayleigh_isf(q, loc=0.0, scale=1.0):
    return stats_rayleigh_ppf(1.0 - _doubles(q), loc, scale)
def stats_rayleigh_mean(loc=0.0, scale=1.0):
    return _at_quantile(sqrt(pi / 2.0), loc, scale)
def stats_rayleigh_var(loc=0.0, scale=1.0):
    return (2.0 - pi / 2.0) * _doubles(scale) ** 2
def stats_rayleigh_std(loc=0.0, scale=1.0):
    return sqrt(stats_rayleigh_var(loc, scale))

def stats_halfnorm_logpdf(x, loc=0.0, scale=1.0):
    return _log_density(_standard(x, loc, scale), 0.0, inf, 1.0, scale, lambda y: 0.5 * log(2.0 / pi) - y * y / 2.0)
def stats_halfnorm_pdf(x, loc=0.0, scale=1.0):
    return exp(stats_halfnorm_logpdf(x, loc, scale))
def stats_halfnorm_cdf(x, loc=0.0, scale=1.0):
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 0.0, 1.0, lambda y: erf(y * sqrt(0.5)))
def stats_halfnorm_sf(x, loc=0.0, scale=1.0):
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 1.0, 0.0, lambda y: erfc(y * sqrt(0.5)))
def stats_halfnorm_logcdf(x, loc=0.0, scale=1.0):
    return log(stats_halfnorm_cdf(x, loc, scale))
def stats_halfnorm_logsf(x, loc=0.0, scale=1.0):
    return log(stats_halfnorm_sf(x, loc, scale))
def stats_halfnorm_ppf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(sqrt(2.0) * special_erfinv(q), loc, scale)
def stats_halfnorm_isf(q, loc=0.0, scale=1.0):
    return stats_halfnorm_ppf(1.0 - _doubles(q), loc, scale)
def stats_halfnorm_mean(loc=0.0, scale=1.0):
    return _at_quantile(sqrt(2.0 / pi), loc, scale)
def stats_halfnorm_var(loc=0.0, scale=1.0):
    return (1.0 - 2.0 / pi) * _doubles(scale) ** 2
def stats_halfnorm_std(loc=0.0, scale=1.0):
    return sqrt(stats_halfnorm_var(loc, scale))

def stats_halfcauchy_logpdf(x, loc=0.0, scale=1.0):
    return _log_density(_standard(x, loc, scale), 0.0, inf, 1.0, scale, lambda y: log(2.0 / pi) - _log_of_one_and_square(y, 1.0))
def stats_halfcauchy_pdf(x, loc=0.0, scale=1.0):
    return exp(stats_halfcauchy_logpdf(x, loc, scale))
def stats_halfcauchy_cdf(x, loc=0.0, scale=1.0):
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 0.0, 1.0, lambda y: 2.0 / pi * arctan(y))
def stats_halfcauchy_sf(x, loc=0.0, scale=1.0):
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 1.0, 0.0, lambda y: 2.0 / pi * arctan2(1.0, y))
def stats_halfcauchy_logcdf(x, loc=0.0, scale=1.0):
    return log(stats_halfcauchy_cdf(x, loc, scale))
def stats_halfcauchy_logsf(x, loc=0.0, scale=1.0):
    return log(stats_halfcauchy_sf(x, loc, scale))
def stats_halfcauchy_ppf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(tan(0.5 * pi * q), loc, scale)
def stats_halfcauchy_isf(q, loc=0.0, scale=1.0):
    return stats_halfcauchy_ppf(1.0 - _doubles(q), loc, scale)
def stats_halfcauchy_mean(loc=0.0, scale=1.0):
    return _at_quantile(inf, loc, scale)
def stats_halfcauchy_var(loc=0.0, scale=1.0):
    return (inf) * _doubles(scale) ** 2
def stats_halfcauchy_std(loc=0.0, scale=1.0):
    return sqrt(stats_halfcauchy_var(loc, scale))

def stats_maxwell_logpdf(x, loc=0.0, scale=1.0):
    return _log_density(_standard(x, loc, scale), 0.0, inf, 1.0, scale, lambda y: 0.5 * log(2.0 / pi) + 2.0 * log(y) - y * y / 2.0)
def stats_maxwell_pdf(x, loc=0.0, scale=1.0):
    return exp(stats_maxwell_logpdf(x, loc, scale))
def stats_maxwell_cdf(x, loc=0.0, scale=1.0):
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 0.0, 1.0, lambda y: special_gammainc(1.5, y * y / 2.0))
def stats_maxwell_sf(x, loc=0.0, scale=1.0):
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 1.0, 0.0, lambda y: special_gammaincc(1.5, y * y / 2.0))
def stats_maxwell_logcdf(x, loc=0.0, scale=1.0):
    return log(stats_maxwell_cdf(x, loc, scale))
def stats_maxwell_logsf(x, loc=0.0, scale=1.0):
    return log(stats_maxwell_sf(x, loc, scale))
def stats_maxwell_ppf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(sqrt(2.0 * special_gammaincinv(1.5, q)), loc, scale)
def stats_maxwell_isf(q, loc=0.0, scale=1.0):
    return stats_maxwell_ppf(1.0 - _doubles(q), loc, scale)
def stats_maxwell_mean(loc=0.0, scale=1.0):
    return _at_quantile(2.0 * sqrt(2.0 / pi), loc, scale)
def stats_maxwell_var(loc=0.0, scale=1.0):
    return (3.0 - 8.0 / pi) * _doubles(scale) ** 2
def stats_maxwell_std(loc=0.0, scale=1.0):
    return sqrt(stats_maxwell_var(loc, scale))

def stats_invgamma_logpdf(x, a, loc=0.0, scale=1.0):
    a = _doubles(a)
    return _log_density(_standard(x, loc, scale), 0.0, inf, 1.0, scale, lambda y: -(a + 1.0) * log(y) - gammaln(a) - 1.0 / y)
def stats_invgamma_pdf(x, a, loc=0.0, scale=1.0):
    return exp(stats_invgamma_logpdf(x, a, loc, scale))
def stats_invgamma_cdf(x, a, loc=0.0, scale=1.0):
    a = _doubles(a)
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 0.0, 1.0, lambda y: special_gammaincc(a, 1.0 / y))
def stats_invgamma_sf(x, a, loc=0.0, scale=1.0):
    a = _doubles(a)
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 1.0, 0.0, lambda y: special_gammainc(a, 1.0 / y))
def stats_invgamma_logcdf(x, a, loc=0.0, scale=1.0):
    return log(stats_invgamma_cdf(x, a, loc, scale))
def stats_invgamma_logsf(x, a, loc=0.0, scale=1.0):
    return log(stats_invgamma_sf(x, a, loc, scale))
def stats_invgamma_ppf(q, a, loc=0.0, scale=1.0):
    q = _probability(q)
    a = _doubles(a)
    return _at_quantile(1.0 / special_gammainccinv(a, q), loc, scale)
def stats_invgamma_isf(q, a, loc=0.0, scale=1.0):
    return stats_invgamma_ppf(1.0 - _doubles(q), a, loc, scale)
def stats_invgamma_mean(a, loc=0.0, scale=1.0):
    a = _doubles(a)
    return _at_quantile(select(a > 1.0, 1.0 / (a - 1.0), inf), loc, scale)
def stats_invgamma_var(a, loc=0.0, scale=1.0):
    a = _doubles(a)
    return (select(a > 2.0, 1.0 / (a - 1.0) ** 2 / (a - 2.0), inf)) * _doubles(scale) ** 2
def stats_invgamma_std(a, loc=0.0, scale=1.0):
    return sqrt(stats_invgamma_var(a, loc, scale))

def stats_invgauss_logpdf(x, mu, loc=0.0, scale=1.0):
    mu = _doubles(mu)
    return _log_density(_standard(x, loc, scale), 0.0, inf, 1.0, scale, lambda y: -0.5 * log(2.0 * pi) - 1.5 * log(y) - ((y - mu) / mu) ** 2 / (2.0 * y))
def stats_invgauss_pdf(x, mu, loc=0.0, scale=1.0):
    return exp(stats_invgauss_logpdf(x, mu, loc, scale))
def stats_invgauss_cdf(x, mu, loc=0.0, scale=1.0):
    mu = _doubles(mu)
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 0.0, 1.0, lambda y: _below(sqrt(1.0 / y) * (y / mu - 1.0)) + exp(2.0 / mu + _log_below(-sqrt(1.0 / y) * (y / mu + 1.0))))
def stats_invgauss_sf(x, mu, loc=0.0, scale=1.0):
    mu = _doubles(mu)
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 1.0, 0.0, lambda y: _below(-sqrt(1.0 / y) * (y / mu - 1.0)) - exp(2.0 / mu + _log_below(-sqrt(1.0 / y) * (y / mu + 1.0))))
def stats_invgauss_logcdf(x, mu, loc=0.0, scale=1.0):
    return log(stats_invgauss_cdf(x, mu, loc, scale))
def stats_invgauss_logsf(x, mu, loc=0.0, scale=1.0):
    return log(stats_invgauss_sf(x, mu, loc, scale))
def stats_invgauss_mean(mu, loc=0.0, scale=1.0):
    mu = _doubles(mu)
    return _at_quantile(1.0 * mu, loc, scale)
def stats_invgauss_var(mu, loc=0.0, scale=1.0):
    mu = _doubles(mu)
    return (mu ** 3) * _doubles(scale) ** 2
def stats_invgauss_std(mu, loc=0.0, scale=1.0):
    return sqrt(stats_invgauss_var(mu, loc, scale))

def stats_loguniform_logpdf(x, a, b, loc=0.0, scale=1.0):
    a = _doubles(a)
    b = _doubles(b)
    return _log_density(_standard(x, loc, scale), a, b, a, scale, lambda y: -log(y) - log(log(b / a)))
def stats_loguniform_pdf(x, a, b, loc=0.0, scale=1.0):
    return exp(stats_loguniform_logpdf(x, a, b, loc, scale))
def stats_loguniform_cdf(x, a, b, loc=0.0, scale=1.0):
    a = _doubles(a)
    b = _doubles(b)
    return _in_support(_standard(x, loc, scale), a, b, a, 0.0, 1.0, lambda y: log(y / a) / log(b / a))
def stats_loguniform_sf(x, a, b, loc=0.0, scale=1.0):
    a = _doubles(a)
    b = _doubles(b)
    return _in_support(_standard(x, loc, scale), a, b, a, 1.0, 0.0, lambda y: log(b / y) / log(b / a))
def stats_loguniform_logcdf(x, a, b, loc=0.0, scale=1.0):
    return log(stats_loguniform_cdf(x, a, b, loc, scale))
def stats_loguniform_logsf(x, a, b, loc=0.0, scale=1.0):
    return log(stats_loguniform_sf(x, a, b, loc, scale))
def stats_loguniform_ppf(q, a, b, loc=0.0, scale=1.0):
    q = _probability(q)
    a = _doubles(a)
    b = _doubles(b)
    return _at_quantile(a * power(b / a, q), loc, scale)
def stats_loguniform_isf(q, a, b, loc=0.0, scale=1.0):
    return stats_loguniform_ppf(1.0 - _doubles(q), a, b, loc, scale)
def stats_loguniform_mean(a, b, loc=0.0, scale=1.0):
    a = _doubles(a)
    b = _doubles(b)
    return _at_quantile((b - a) / log(b / a), loc, scale)

def stats_powerlaw_logpdf(x, a, loc=0.0, scale=1.0):
    a = _doubles(a)
    return _log_density(_standard(x, loc, scale), 0.0, 1.0, 0.5, scale, lambda y: log(a) + special_xlogy(a - 1.0, y))
def stats_powerlaw_pdf(x, a, loc=0.0, scale=1.0):
    return exp(stats_powerlaw_logpdf(x, a, loc, scale))
def stats_powerlaw_cdf(x, a, loc=0.0, scale=1.0):
    a = _doubles(a)
    return _in_support(_standard(x, loc, scale), 0.0, 1.0, 0.5, 0.0, 1.0, lambda y: power(y, a))
def stats_powerlaw_sf(x, a, loc=0.0, scale=1.0):
    a = _doubles(a)
    return _in_support(_standard(x, loc, scale), 0.0, 1.0, 0.5, 1.0, 0.0, lambda y: 1.0 - power(y, a))
def stats_powerlaw_logcdf(x, a, loc=0.0, scale=1.0):
    return log(stats_powerlaw_cdf(x, a, loc, scale))
def stats_powerlaw_logsf(x, a, loc=0.0, scale=1.0):
    return log(stats_powerlaw_sf(x, a, loc, scale))
def stats_powerlaw_ppf(q, a, loc=0.0, scale=1.0):
    q = _probability(q)
    a = _doubles(a)
    return _at_quantile(power(q, 1.0 / a), loc, scale)
def stats_powerlaw_isf(q, a, loc=0.0, scale=1.0):
    return stats_powerlaw_ppf(1.0 - _doubles(q), a, loc, scale)
def stats_powerlaw_mean(a, loc=0.0, scale=1.0):
    a = _doubles(a)
    return _at_quantile(a / (a + 1.0), loc, scale)
def stats_powerlaw_var(a, loc=0.0, scale=1.0):
    a = _doubles(a)
    return (a / (a + 2.0) / (a + 1.0) ** 2) * _doubles(scale) ** 2
def stats_powerlaw_std(a, loc=0.0, scale=1.0):
    return sqrt(stats_powerlaw_var(a, loc, scale))

def stats_triang_logpdf(x, c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return _log_density(_standard(x, loc, scale), 0.0, 1.0, 0.5, scale, lambda y: log(2.0 * select(y < c, y / c, (1.0 - y) / (1.0 - c))))
def stats_triang_pdf(x, c, loc=0.0, scale=1.0):
    return exp(stats_triang_logpdf(x, c, loc, scale))
def stats_triang_cdf(x, c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return _in_support(_standard(x, loc, scale), 0.0, 1.0, 0.5, 0.0, 1.0, lambda y: select(y < c, y * y / c, 1.0 - (1.0 - y) ** 2 / (1.0 - c)))
def stats_triang_sf(x, c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return _in_support(_standard(x, loc, scale), 0.0, 1.0, 0.5, 1.0, 0.0, lambda y: select(y < c, 1.0 - y * y / c, (1.0 - y) ** 2 / (1.0 - c)))
def stats_triang_logcdf(x, c, loc=0.0, scale=1.0):
    return log(stats_triang_cdf(x, c, loc, scale))
def stats_triang_logsf(x, c, loc=0.0, scale=1.0):
    return log(stats_triang_sf(x, c, loc, scale))
def stats_triang_ppf(q, c, loc=0.0, scale=1.0):
    q = _probability(q)
    c = _doubles(c)
    return _at_quantile(select(q < c, sqrt(c * q), 1.0 - sqrt((1.0 - c) * (1.0 - q))), loc, scale)
def stats_triang_isf(q, c, loc=0.0, scale=1.0):
    return stats_triang_ppf(1.0 - _doubles(q), c, loc, scale)
def stats_triang_mean(c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return _at_quantile((c + 1.0) / 3.0, loc, scale)
def stats_triang_var(c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return ((1.0 - c + c * c) / 18.0) * _doubles(scale) ** 2
def stats_triang_std(c, loc=0.0, scale=1.0):
    return sqrt(stats_triang_var(c, loc, scale))

def stats_f_logpdf(x, dfn, dfd, loc=0.0, scale=1.0):
    dfn = _doubles(dfn)
    dfd = _doubles(dfd)
    return _log_density(_standard(x, loc, scale), 0.0, inf, 1.0, scale, lambda y: _log_f_density(dfn, dfd, y))
def stats_f_pdf(x, dfn, dfd, loc=0.0, scale=1.0):
    return exp(stats_f_logpdf(x, dfn, dfd, loc, scale))
def stats_f_cdf(x, dfn, dfd, loc=0.0, scale=1.0):
    dfn = _doubles(dfn)
    dfd = _doubles(dfd)
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 0.0, 1.0, lambda y: special_betainc(dfn / 2.0, dfd / 2.0, dfn * y / (dfd + dfn * y)))
def stats_f_sf(x, dfn, dfd, loc=0.0, scale=1.0):
    dfn = _doubles(dfn)
    dfd = _doubles(dfd)
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 1.0, 0.0, lambda y: special_betainc(dfd / 2.0, dfn / 2.0, dfd / (dfd + dfn * y)))
def stats_f_logcdf(x, dfn, dfd, loc=0.0, scale=1.0):
    return log(stats_f_cdf(x, dfn, dfd, loc, scale))
def stats_f_logsf(x, dfn, dfd, loc=0.0, scale=1.0):
    return log(stats_f_sf(x, dfn, dfd, loc, scale))
def stats_f_ppf(q, dfn, dfd, loc=0.0, scale=1.0):
    q = _probability(q)
    dfn = _doubles(dfn)
    dfd = _doubles(dfd)
    return _at_quantile(_f_quantile(dfn, dfd, q), loc, scale)
def stats_f_isf(q, dfn, dfd, loc=0.0, scale=1.0):
    return stats_f_ppf(1.0 - _doubles(q), dfn, dfd, loc, scale)
def stats_f_mean(dfn, dfd, loc=0.0, scale=1.0):
    dfn = _doubles(dfn)
    dfd = _doubles(dfd)
    return _at_quantile(select(dfd > 2.0, dfd / (dfd - 2.0), inf), loc, scale)

def stats_genpareto_logpdf(x, c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return _log_density(_standard(x, loc, scale), 0.0, inf, 0.5, scale, lambda y: -_log_of_part_of(c, y) - log1p(c * y))
def stats_genpareto_pdf(x, c, loc=0.0, scale=1.0):
    return exp(stats_genpareto_logpdf(x, c, loc, scale))
def stats_genpareto_cdf(x, c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return _in_support(_standard(x, loc, scale), 0.0, inf, 0.5, 0.0, 1.0, lambda y: -expm1(-_log_of_part_of(c, y)))
def stats_genpareto_sf(x, c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return _in_support(_standard(x, loc, scale), 0.0, inf, 0.5, 1.0, 0.0, lambda y: exp(-_log_of_part_of(c, y)))
def stats_genpareto_logcdf(x, c, loc=0.0, scale=1.0):
    return log(stats_genpareto_cdf(x, c, loc, scale))
def stats_genpareto_logsf(x, c, loc=0.0, scale=1.0):
    return log(stats_genpareto_sf(x, c, loc, scale))
def stats_genpareto_ppf(q, c, loc=0.0, scale=1.0):
    q = _probability(q)
    c = _doubles(c)
    return _at_quantile(_power_of_part(c, -log1p(-q)), loc, scale)
def stats_genpareto_isf(q, c, loc=0.0, scale=1.0):
    return stats_genpareto_ppf(1.0 - _doubles(q), c, loc, scale)

def stats_genextreme_logpdf(x, c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return _log_density(_standard(x, loc, scale), -inf, inf, 0.0, scale, lambda y: -exp(-_log_of_part_of(-c, y)) - _log_of_part_of(-c, y) - log1p(-c * y))
def stats_genextreme_pdf(x, c, loc=0.0, scale=1.0):
    return exp(stats_genextreme_logpdf(x, c, loc, scale))
def stats_genextreme_cdf(x, c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return _in_support(_standard(x, loc, scale), -inf, inf, 0.0, 0.0, 1.0, lambda y: exp(-exp(-_log_of_part_of(-c, y))))
def stats_genextreme_sf(x, c, loc=0.0, scale=1.0):
    c = _doubles(c)
    return _in_support(_standard(x, loc, scale), -inf, inf, 0.0, 1.0, 0.0, lambda y: -expm1(-exp(-_log_of_part_of(-c, y))))
def stats_genextreme_logcdf(x, c, loc=0.0, scale=1.0):
    return log(stats_genextreme_cdf(x, c, loc, scale))
def stats_genextreme_logsf(x, c, loc=0.0, scale=1.0):
    return log(stats_genextreme_sf(x, c, loc, scale))
def stats_genextreme_ppf(q, c, loc=0.0, scale=1.0):
    q = _probability(q)
    c = _doubles(c)
    return _at_quantile(_power_of_part(-c, -log(-log(q))), loc, scale)
def stats_genextreme_isf(q, c, loc=0.0, scale=1.0):
    return stats_genextreme_ppf(1.0 - _doubles(q), c, loc, scale)

def stats_truncnorm_logpdf(x, a, b, loc=0.0, scale=1.0):
    a = _doubles(a)
    b = _doubles(b)
    return _log_density(_standard(x, loc, scale), a, b, a, scale, lambda y: -y * y / 2.0 - log(sqrt(2.0 * pi)) - _log_between(a, b))
def stats_truncnorm_pdf(x, a, b, loc=0.0, scale=1.0):
    return exp(stats_truncnorm_logpdf(x, a, b, loc, scale))
def stats_truncnorm_cdf(x, a, b, loc=0.0, scale=1.0):
    a = _doubles(a)
    b = _doubles(b)
    return _in_support(_standard(x, loc, scale), a, b, a, 0.0, 1.0, lambda y: exp(_log_between(a, y) - _log_between(a, b)))
def stats_truncnorm_sf(x, a, b, loc=0.0, scale=1.0):
    a = _doubles(a)
    b = _doubles(b)
    return _in_support(_standard(x, loc, scale), a, b, a, 1.0, 0.0, lambda y: exp(_log_between(y, b) - _log_between(a, b)))
def stats_truncnorm_logcdf(x, a, b, loc=0.0, scale=1.0):
    return log(stats_truncnorm_cdf(x, a, b, loc, scale))
def stats_truncnorm_logsf(x, a, b, loc=0.0, scale=1.0):
    return log(stats_truncnorm_sf(x, a, b, loc, scale))
def stats_truncnorm_ppf(q, a, b, loc=0.0, scale=1.0):
    q = _probability(q)
    a = _doubles(a)
    b = _doubles(b)
    return _at_quantile(_truncated_quantile(a, b, q), loc, scale)
def stats_truncnorm_isf(q, a, b, loc=0.0, scale=1.0):
    return stats_truncnorm_ppf(1.0 - _doubles(q), a, b, loc, scale)

def _log_f_density(m, n, y):
    return 0.5 * (m * log(m) + n * log(n)) + special_xlogy(m / 2.0 - 1.0, y) - 0.5 * (m + n) * log(n + m * y) - special_betaln(m / 2.0, n / 2.0)
def _f_quantile(m, n, q):
    z = special_betaincinv(m / 2.0, n / 2.0, q)
    return n * z / (m * (1.0 - z))
# log(1 + c y) / c, which is y where c is zero, and the inverse.
def _log_of_part_of(c, y):
    none = c == 0.0
    b = select(none, 1.0, c)
    return select(none, y, log1p(select(none, 0.0, b * y)) / b)
def _power_of_part(c, y):
    none = c == 0.0
    b = select(none, 1.0, c)
    return select(none, y, expm1(select(none, 0.0, b * y)) / b)
# The logarithm of the probability between two values, on the side of the mean where both are below it.
def _log_between(a, b):
    a, b = _aligned(a, b)
    turned = a > 0.0
    low, high = select(turned, -b, a), select(turned, -a, b)
    return _log_below(high) + log1p(-exp(_log_below(low) - _log_below(high)))
def _truncated_quantile(a, b, q):
    a, b, q = _aligned(a, b, q)
    turned = a > 0.0
    side = select(turned, -1.0, 1.0)
    first, last = _below(side * a), _below(side * b)
    return side * special_ndtri(first + q * (last - first))

# The logarithm of the density of the skew normal distribution, and that of von Mises on the circle.
def stats_skewnorm_logpdf(x, a, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    return log(2.0) - y * y / 2.0 - log(sqrt(2.0 * pi)) + _log_below(_doubles(a) * y) - log(_doubles(scale))
def stats_skewnorm_pdf(x, a, loc=0.0, scale=1.0):
    return exp(stats_skewnorm_logpdf(x, a, loc, scale))
def stats_vonmises_logpdf(x, kappa, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    kappa = _doubles(kappa)
    return kappa * (cos(y) - 1.0) - log(2.0 * pi * special_i0e(kappa)) - log(_doubles(scale))
def stats_vonmises_pdf(x, kappa, loc=0.0, scale=1.0):
    return exp(stats_vonmises_logpdf(x, kappa, loc, scale))

def stats_bernoulli_logpmf(k, p, loc=0.0):
    p = _doubles(p)
    return _log_mass(_doubles(k) - _doubles(loc), 0.0, 1.0, lambda k: special_xlogy(k, p) + special_xlog1py(1.0 - k, -p))
def stats_bernoulli_pmf(k, p, loc=0.0):
    return exp(stats_bernoulli_logpmf(k, p, loc))
def stats_bernoulli_cdf(k, p, loc=0.0):
    k = floor(_doubles(k) - _doubles(loc))
    p = _doubles(p)
    return select(k < 0.0, 0.0, select(k < 1.0, 1.0 - p, 1.0))
def stats_bernoulli_sf(k, p, loc=0.0):
    k = floor(_doubles(k) - _doubles(loc))
    p = _doubles(p)
    return select(k < 0.0, 1.0, select(k < 1.0, p, 0.0))
def stats_bernoulli_mean(p, loc=0.0):
    p = _doubles(p)
    return p + _doubles(loc)
def stats_bernoulli_var(p, loc=0.0):
    p = _doubles(p)
    return p * (1.0 - p) + 0.0 * _doubles(loc)
def stats_bernoulli_std(p, loc=0.0):
    return sqrt(stats_bernoulli_var(p, loc))

def stats_binom_logpmf(k, n, p, loc=0.0):
    n = _doubles(n)
    p = _doubles(p)
    return _log_mass(_doubles(k) - _doubles(loc), 0.0, n, lambda k: _log_of_choices(n, k) + special_xlogy(k, p) + special_xlog1py(n - k, -p))
def stats_binom_pmf(k, n, p, loc=0.0):
    return exp(stats_binom_logpmf(k, n, p, loc))
def stats_binom_cdf(k, n, p, loc=0.0):
    k = floor(_doubles(k) - _doubles(loc))
    n = _doubles(n)
    p = _doubles(p)
    return _binomial_below(n, p, k)
def stats_binom_sf(k, n, p, loc=0.0):
    k = floor(_doubles(k) - _doubles(loc))
    n = _doubles(n)
    p = _doubles(p)
    return _binomial_above(n, p, k)
def stats_binom_mean(n, p, loc=0.0):
    n = _doubles(n)
    p = _doubles(p)
    return n * p + _doubles(loc)
def stats_binom_var(n, p, loc=0.0):
    n = _doubles(n)
    p = _doubles(p)
    return n * p * (1.0 - p) + 0.0 * _doubles(loc)
def stats_binom_std(n, p, loc=0.0):
    return sqrt(stats_binom_var(n, p, loc))

def stats_geom_logpmf(k, p, loc=0.0):
    p = _doubles(p)
    return _log_mass(_doubles(k) - _doubles(loc), 1.0, inf, lambda k: special_xlog1py(k - 1.0, -p) + log(p))
def stats_geom_pmf(k, p, loc=0.0):
    return exp(stats_geom_logpmf(k, p, loc))
def stats_geom_cdf(k, p, loc=0.0):
    k = floor(_doubles(k) - _doubles(loc))
    p = _doubles(p)
    return -expm1(maximum(k, 0.0) * log1p(-p))
def stats_geom_sf(k, p, loc=0.0):
    k = floor(_doubles(k) - _doubles(loc))
    p = _doubles(p)
    return exp(maximum(k, 0.0) * log1p(-p))
def stats_geom_mean(p, loc=0.0):
    p = _doubles(p)
    return 1.0 / p + _doubles(loc)
def stats_geom_var(p, loc=0.0):
    p = _doubles(p)
    return (1.0 - p) / p ** 2 + 0.0 * _doubles(loc)
def stats_geom_std(p, loc=0.0):
    return sqrt(stats_geom_var(p, loc))

def stats_nbinom_logpmf(k, n, p, loc=0.0):
    n = _doubles(n)
    p = _doubles(p)
    return _log_mass(_doubles(k) - _doubles(loc), 0.0, inf, lambda k: gammaln(n + k) - gammaln(k + 1.0) - gammaln(n) + n * log(p) + special_xlog1py(k, -p))
def stats_nbinom_pmf(k, n, p, loc=0.0):
    return exp(stats_nbinom_logpmf(k, n, p, loc))
def stats_nbinom_cdf(k, n, p, loc=0.0):
    k = floor(_doubles(k) - _doubles(loc))
    n = _doubles(n)
    p = _doubles(p)
    return select(k < 0.0, 0.0, special_betainc(n, maximum(k, 0.0) + 1.0, p))
def stats_nbinom_sf(k, n, p, loc=0.0):
    k = floor(_doubles(k) - _doubles(loc))
    n = _doubles(n)
    p = _doubles(p)
    return select(k < 0.0, 1.0, special_betainc(maximum(k, 0.0) + 1.0, n, 1.0 - p))
def stats_nbinom_mean(n, p, loc=0.0):
    n = _doubles(n)
    p = _doubles(p)
    return n * (1.0 - p) / p + _doubles(loc)
def stats_nbinom_var(n, p, loc=0.0):
    n = _doubles(n)
    p = _doubles(p)
    return n * (1.0 - p) / p ** 2 + 0.0 * _doubles(loc)
def stats_nbinom_std(n, p, loc=0.0):
    return sqrt(stats_nbinom_var(n, p, loc))

def stats_randint_logpmf(k, low, high, loc=0.0):
    low = _doubles(low)
    high = _doubles(high)
    return _log_mass(_doubles(k) - _doubles(loc), low, high - 1.0, lambda k: 0.0 * k - log(high - low))
def stats_randint_pmf(k, low, high, loc=0.0):
    return exp(stats_randint_logpmf(k, low, high, loc))
def stats_randint_cdf(k, low, high, loc=0.0):
    k = floor(_doubles(k) - _doubles(loc))
    low = _doubles(low)
    high = _doubles(high)
    return clip((k + 1.0 - low) / (high - low), 0.0, 1.0)
def stats_randint_sf(k, low, high, loc=0.0):
    k = floor(_doubles(k) - _doubles(loc))
    low = _doubles(low)
    high = _doubles(high)
    return clip((high - 1.0 - k) / (high - low), 0.0, 1.0)
def stats_randint_mean(low, high, loc=0.0):
    low = _doubles(low)
    high = _doubles(high)
    return (low + high - 1.0) / 2.0 + _doubles(loc)
def stats_randint_var(low, high, loc=0.0):
    low = _doubles(low)
    high = _doubles(high)
    return ((high - low) ** 2 - 1.0) / 12.0 + 0.0 * _doubles(loc)
def stats_randint_std(low, high, loc=0.0):
    return sqrt(stats_randint_var(low, high, loc))

def _log_of_choices(n, k):
    return gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)
def _binomial_below(n, p, k):
    inside = logical_and(k >= 0.0, k < n)
    j = select(inside, k, 0.0)
    return select(inside, special_betainc(select(inside, n, 1.0) - j, j + 1.0, 1.0 - p), select(k < 0.0, 0.0, 1.0))
def _binomial_above(n, p, k):
    inside = logical_and(k >= 0.0, k < n)
    j = select(inside, k, 0.0)
    return select(inside, special_betainc(j + 1.0, select(inside, n, 1.0) - j, p), select(k < 0.0, 1.0, 0.0))
def stats_multinomial_logpmf(x, n, p):
    x, p = _doubles(x), _doubles(p)
    fits = logical_and(sum(x, -1) == n, all(logical_and(x >= 0.0, x == floor(x)), -1))
    return select(fits, gammaln(n + 1.0) + sum(special_xlogy(x, p) - gammaln(x + 1.0), -1), -inf)
def stats_multinomial_pmf(x, n, p):
    return exp(stats_multinomial_logpmf(x, n, p))

# Quantiles and moments of the distributions before.
def stats_norm_isf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(-special_ndtri(q), loc, scale)
def stats_norm_mean(loc=0.0, scale=1.0):
    return _at_quantile(0.0, loc, scale)
def stats_norm_var(loc=0.0, scale=1.0):
    return (1.0) * _doubles(scale) ** 2
def stats_norm_std(loc=0.0, scale=1.0):
    return sqrt(stats_norm_var(loc, scale))
def stats_expon_ppf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(-log1p(-q), loc, scale)
def stats_expon_isf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(-log(q), loc, scale)
def stats_expon_mean(loc=0.0, scale=1.0):
    return _at_quantile(1.0, loc, scale)
def stats_expon_var(loc=0.0, scale=1.0):
    return (1.0) * _doubles(scale) ** 2
def stats_expon_std(loc=0.0, scale=1.0):
    return sqrt(stats_expon_var(loc, scale))
def stats_uniform_ppf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(1.0 * q, loc, scale)
def stats_uniform_isf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(1.0 - q, loc, scale)
def stats_uniform_mean(loc=0.0, scale=1.0):
    return _at_quantile(0.5, loc, scale)
def stats_uniform_var(loc=0.0, scale=1.0):
    return (1.0 / 12.0) * _doubles(scale) ** 2
def stats_uniform_std(loc=0.0, scale=1.0):
    return sqrt(stats_uniform_var(loc, scale))
def stats_laplace_ppf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(select(q < 0.5, log(2.0 * q), -log(2.0 * (1.0 - q))), loc, scale)
def stats_laplace_isf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(select(q < 0.5, -log(2.0 * q), log(2.0 * (1.0 - q))), loc, scale)
def stats_laplace_mean(loc=0.0, scale=1.0):
    return _at_quantile(0.0, loc, scale)
def stats_laplace_var(loc=0.0, scale=1.0):
    return (2.0) * _doubles(scale) ** 2
def stats_laplace_std(loc=0.0, scale=1.0):
    return sqrt(stats_laplace_var(loc, scale))
def stats_logistic_ppf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(special_logit(q), loc, scale)
def stats_logistic_isf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(-special_logit(q), loc, scale)
def stats_logistic_mean(loc=0.0, scale=1.0):
    return _at_quantile(0.0, loc, scale)
def stats_logistic_var(loc=0.0, scale=1.0):
    return (pi * pi / 3.0) * _doubles(scale) ** 2
def stats_logistic_std(loc=0.0, scale=1.0):
    return sqrt(stats_logistic_var(loc, scale))
def stats_cauchy_ppf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(tan(pi * (q - 0.5)), loc, scale)
def stats_cauchy_isf(q, loc=0.0, scale=1.0):
    q = _probability(q)
    return _at_quantile(-tan(pi * (q - 0.5)), loc, scale)
def stats_lognorm_ppf(q, s, loc=0.0, scale=1.0):
    q = _probability(q)
    s = _doubles(s)
    return _at_quantile(exp(s * special_ndtri(q)), loc, scale)
def stats_lognorm_isf(q, s, loc=0.0, scale=1.0):
    q = _probability(q)
    s = _doubles(s)
    return _at_quantile(exp(-s * special_ndtri(q)), loc, scale)
def stats_lognorm_mean(s, loc=0.0, scale=1.0):
    s = _doubles(s)
    return _at_quantile(exp(s * s / 2.0), loc, scale)
def stats_lognorm_var(s, loc=0.0, scale=1.0):
    s = _doubles(s)
    return (expm1(s * s) * exp(s * s)) * _doubles(scale) ** 2
def stats_lognorm_std(s, loc=0.0, scale=1.0):
    return sqrt(stats_lognorm_var(s, loc, scale))
def stats_gamma_ppf(q, a, loc=0.0, scale=1.0):
    q = _probability(q)
    a = _doubles(a)
    return _at_quantile(special_gammaincinv(a, q), loc, scale)
def stats_gamma_isf(q, a, loc=0.0, scale=1.0):
    q = _probability(q)
    a = _doubles(a)
    return _at_quantile(special_gammainccinv(a, q), loc, scale)
def stats_gamma_mean(a, loc=0.0, scale=1.0):
    a = _doubles(a)
    return _at_quantile(1.0 * a, loc, scale)
def stats_gamma_var(a, loc=0.0, scale=1.0):
    a = _doubles(a)
    return (1.0 * a) * _doubles(scale) ** 2
def stats_gamma_std(a, loc=0.0, scale=1.0):
    return sqrt(stats_gamma_var(a, loc, scale))
def stats_chi2_ppf(q, df, loc=0.0, scale=1.0):
    q = _probability(q)
    df = _doubles(df)
    return _at_quantile(2.0 * special_gammaincinv(df / 2.0, q), loc, scale)
def stats_chi2_isf(q, df, loc=0.0, scale=1.0):
    q = _probability(q)
    df = _doubles(df)
    return _at_quantile(2.0 * special_gammainccinv(df / 2.0, q), loc, scale)
def stats_chi2_mean(df, loc=0.0, scale=1.0):
    df = _doubles(df)
    return _at_quantile(1.0 * df, loc, scale)
def stats_chi2_var(df, loc=0.0, scale=1.0):
    df = _doubles(df)
    return (2.0 * df) * _doubles(scale) ** 2
def stats_chi2_std(df, loc=0.0, scale=1.0):
    return sqrt(stats_chi2_var(df, loc, scale))
def stats_beta_ppf(q, a, b, loc=0.0, scale=1.0):
    q = _probability(q)
    a = _doubles(a)
    b = _doubles(b)
    return _at_quantile(special_betaincinv(a, b, q), loc, scale)
def stats_beta_isf(q, a, b, loc=0.0, scale=1.0):
    q = _probability(q)
    a = _doubles(a)
    b = _doubles(b)
    return _at_quantile(special_betainccinv(a, b, q), loc, scale)
def stats_beta_mean(a, b, loc=0.0, scale=1.0):
    a = _doubles(a)
    b = _doubles(b)
    return _at_quantile(a / (a + b), loc, scale)
def stats_beta_var(a, b, loc=0.0, scale=1.0):
    a = _doubles(a)
    b = _doubles(b)
    return (a * b / (a + b) ** 2 / (a + b + 1.0)) * _doubles(scale) ** 2
def stats_beta_std(a, b, loc=0.0, scale=1.0):
    return sqrt(stats_beta_var(a, b, loc, scale))
def stats_t_ppf(q, df, loc=0.0, scale=1.0):
    q = _probability(q)
    df = _doubles(df)
    return _at_quantile(special_stdtrit(df, q), loc, scale)
def stats_t_isf(q, df, loc=0.0, scale=1.0):
    q = _probability(q)
    df = _doubles(df)
    return _at_quantile(-special_stdtrit(df, q), loc, scale)
def stats_t_mean(df, loc=0.0, scale=1.0):
    df = _doubles(df)
    return _at_quantile(select(df > 1.0, 0.0, inf), loc, scale)
def stats_t_var(df, loc=0.0, scale=1.0):
    df = _doubles(df)
    return (select(df > 2.0, df / (df - 2.0), select(df > 1.0, inf, nan))) * _doubles(scale) ** 2
def stats_t_std(df, loc=0.0, scale=1.0):
    return sqrt(stats_t_var(df, loc, scale))
def stats_poisson_mean(mu, loc=0.0):
    return _doubles(mu) + _doubles(loc)
def stats_poisson_var(mu, loc=0.0):
    return _doubles(mu) + 0.0 * _doubles(loc)
def stats_poisson_std(mu, loc=0.0):
    return sqrt(stats_poisson_var(mu, loc))
def stats_norm_entropy(loc=0.0, scale=1.0):
    return 0.5 * log(2.0 * pi * exp(1.0)) + log(_doubles(scale)) + 0.0 * _doubles(loc)
def stats_laplace_sf(x, loc=0.0, scale=1.0):
    return stats_laplace_cdf(-_standard(x, loc, scale))
def stats_logistic_sf(x, loc=0.0, scale=1.0):
    return expit(-_standard(x, loc, scale))
def stats_cauchy_sf(x, loc=0.0, scale=1.0):
    return arctan2(1.0, _standard(x, loc, scale)) / pi
def stats_uniform_sf(x, loc=0.0, scale=1.0):
    return 1.0 - stats_uniform_cdf(x, loc, scale)
def stats_lognorm_cdf(x, s, loc=0.0, scale=1.0):
    s = _doubles(s)
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 0.0, 1.0, lambda y: _below(log(y) / s))
def stats_lognorm_sf(x, s, loc=0.0, scale=1.0):
    s = _doubles(s)
    return _in_support(_standard(x, loc, scale), 0.0, inf, 1.0, 1.0, 0.0, lambda y: _below(-log(y) / s))
def stats_gamma_logcdf(x, a, loc=0.0, scale=1.0):
    return log(stats_gamma_cdf(x, a, loc, scale))
def stats_gamma_logsf(x, a, loc=0.0, scale=1.0):
    return log(stats_gamma_sf(x, a, loc, scale))
def stats_chi2_logcdf(x, df, loc=0.0, scale=1.0):
    return log(stats_chi2_cdf(x, df, loc, scale))
def stats_chi2_logsf(x, df, loc=0.0, scale=1.0):
    return log(stats_chi2_sf(x, df, loc, scale))
def stats_beta_logcdf(x, a, b, loc=0.0, scale=1.0):
    return log(stats_beta_cdf(x, a, b, loc, scale))
def stats_beta_logsf(x, a, b, loc=0.0, scale=1.0):
    return log(stats_beta_sf(x, a, b, loc, scale))
def stats_expon_logcdf(x, loc=0.0, scale=1.0):
    return log(stats_expon_cdf(x, loc, scale))
def stats_expon_logsf(x, loc=0.0, scale=1.0):
    return log(stats_expon_sf(x, loc, scale))
def stats_uniform_logcdf(x, loc=0.0, scale=1.0):
    return log(stats_uniform_cdf(x, loc, scale))
def stats_uniform_logsf(x, loc=0.0, scale=1.0):
    return log(stats_uniform_sf(x, loc, scale))
def stats_laplace_logcdf(x, loc=0.0, scale=1.0):
    return log(stats_laplace_cdf(x, loc, scale))
def stats_laplace_logsf(x, loc=0.0, scale=1.0):
    return log(stats_laplace_sf(x, loc, scale))
def stats_cauchy_logcdf(x, loc=0.0, scale=1.0):
    return log(stats_cauchy_cdf(x, loc, scale))
def stats_cauchy_logsf(x, loc=0.0, scale=1.0):
    return log(stats_cauchy_sf(x, loc, scale))
def stats_lognorm_logcdf(x, s, loc=0.0, scale=1.0):
    return log(stats_lognorm_cdf(x, s, loc, scale))
def stats_lognorm_logsf(x, s, loc=0.0, scale=1.0):
    return log(stats_lognorm_sf(x, s, loc, scale))
def stats_logistic_logcdf(x, loc=0.0, scale=1.0):
    return -logaddexp(-_standard(x, loc, scale), 0.0)
def stats_logistic_logsf(x, loc=0.0, scale=1.0):
    return -logaddexp(_standard(x, loc, scale), 0.0)
def stats_t_logsf(x, df, loc=0.0, scale=1.0):
    return log(stats_t_sf(x, df, loc, scale))
