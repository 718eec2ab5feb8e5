# scipy.stats: densities of distributions, their logarithms, and what is below a value and above it. What is outside of a support has the
# density zero; there the formulas are of a value inside, so that no derivative is a product of zero and infinity.

def _doubles(x):
    return as_type(array_of(x), "float64")
def _standard(x, loc, scale):
    return (_doubles(x) - _doubles(loc)) / _doubles(scale)

def stats_norm_pdf(x, loc=0.0, scale=1.0):
    z = _standard(x, loc, scale)
    return exp(-z * z / 2.0) / sqrt(2.0 * pi) / scale
def stats_norm_logpdf(x, loc=0.0, scale=1.0):
    z = _standard(x, loc, scale)
    return -z * z / 2.0 - log(sqrt(2.0 * pi)) - log(_doubles(scale))
def stats_norm_cdf(x, loc=0.0, scale=1.0):
    return _below(_standard(x, loc, scale))
def stats_norm_sf(x, loc=0.0, scale=1.0):
    return _below(-_standard(x, loc, scale))
def stats_norm_logcdf(x, loc=0.0, scale=1.0):
    return _log_below(_standard(x, loc, scale))
def stats_norm_logsf(x, loc=0.0, scale=1.0):
    return _log_below(-_standard(x, loc, scale))
def _below(z):
    return 0.5 * erfc(z * -sqrt(0.5))
# Far below the mean by the asymptotic series of the complementary error function (Abramowitz and Stegun 1964, 7.1.23).
def _log_below(z):
    # Numbers of more digits than the series gives have the function itself.
    is_far = z < (-inf if _have_more_digits() else -20.0)
    is_above = z > 0.0
    far = select(is_far, z, -20.0)
    above = select(is_above, z, 0.0)
    near = select(logical_or(is_far, is_above), 0.0, z)
    a = 1.0 / (far * far)
    series = -a * (1.0 - 3.0 * a * (1.0 - 5.0 * a * (1.0 - 7.0 * a * (1.0 - 9.0 * a * (1.0 - 11.0 * a)))))
    tail = -far * far / 2.0 - log(sqrt(2.0 * pi)) - log(-far) + log1p(series)
    return select(is_far, tail, select(is_above, log1p(-_below(-above)), log(_below(near))))

def stats_expon_pdf(x, loc=0.0, scale=1.0):
    return exp(stats_expon_logpdf(x, loc, scale))
def stats_expon_logpdf(x, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    return select(y >= 0.0, -y, -inf) - log(_doubles(scale))
def stats_expon_cdf(x, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    return -expm1(-select(y >= 0.0, y, 0.0))
def stats_expon_sf(x, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    return exp(-select(y >= 0.0, y, 0.0))

def stats_uniform_pdf(x, loc=0.0, scale=1.0):
    return exp(stats_uniform_logpdf(x, loc, scale))
def stats_uniform_logpdf(x, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    return select(logical_and(y >= 0.0, y <= 1.0), 0.0, -inf) - log(_doubles(scale))
def stats_uniform_cdf(x, loc=0.0, scale=1.0):
    return _from_zero_to_one(_standard(x, loc, scale))
# At the ends derivatives are those from inside.
def _from_zero_to_one(y):
    return select(y < 0.0, 0.0, select(y > 1.0, 1.0, y))
def _from_zero(y):
    return select(y < 0.0, 0.0, y)

def stats_laplace_pdf(x, loc=0.0, scale=1.0):
    return exp(stats_laplace_logpdf(x, loc, scale))
def stats_laplace_logpdf(x, loc=0.0, scale=1.0):
    return -abs(_standard(x, loc, scale)) - log(2.0 * _doubles(scale))
def stats_laplace_cdf(x, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    above = y > 0.0
    return select(above, 1.0 - 0.5 * exp(-select(above, y, 0.0)), 0.5 * exp(select(above, 0.0, y)))

def stats_logistic_pdf(x, loc=0.0, scale=1.0):
    return exp(stats_logistic_logpdf(x, loc, scale))
def stats_logistic_logpdf(x, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    return -logaddexp(y, 0.0) - logaddexp(-y, 0.0) - log(_doubles(scale))
def stats_logistic_cdf(x, loc=0.0, scale=1.0):
    return expit(_standard(x, loc, scale))

def stats_cauchy_pdf(x, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    return 1.0 / (pi * (1.0 + y * y)) / scale
def stats_cauchy_logpdf(x, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    return -log(pi) - _log_of_one_and_square(y, 1.0) - log(_doubles(scale))
# The logarithm of 1 + y**2 / n, also where the square is too large.
def _log_of_one_and_square(y, n):
    is_far = abs(y) > 1e100
    near, far = select(is_far, 1.0, y), select(is_far, abs(y), 1.0)
    return select(is_far, 2.0 * log(far) - log(n), log1p(near * near / n))
def stats_cauchy_cdf(x, loc=0.0, scale=1.0):
    return arctan2(1.0, -_standard(x, loc, scale)) / pi

def stats_t_pdf(x, df, loc=0.0, scale=1.0):
    return exp(stats_t_logpdf(x, df, loc, scale))
def stats_t_logpdf(x, df, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    df = _doubles(df)
    constant = -special_betaln(0.5, df / 2.0) - log(df) / 2.0
    return constant - (df + 1.0) / 2.0 * _log_of_one_and_square(y, df) - log(_doubles(scale))

def stats_t_cdf(x, df, loc=0.0, scale=1.0):
    return _sloped(_t_below, _t_density, (_doubles(df), _standard(x, loc, scale)))
def stats_t_sf(x, df, loc=0.0, scale=1.0):
    return _sloped(_t_below, _t_density, (_doubles(df), -_standard(x, loc, scale)))
def stats_t_logcdf(x, df, loc=0.0, scale=1.0):
    return log(stats_t_cdf(x, df, loc, scale))
# Around the middle by what is smooth there, further away by the tail.
def _t_below(df, y):
    df, y = _aligned(df, y)
    z = y * y / (df + y * y)
    near = z < 3.0 / (df + 5.0)
    inside = select(near, y, 0.0)
    b = select(near, df, 1.0) / 2.0
    z = inside * inside / (2.0 * b + inside * inside)
    half = 0.0 * b + 0.5
    middle = exp(b * log1p(-z) - _betaln(half, b)) * inside / sqrt(2.0 * b + inside * inside) * (1.0 + _beta_series(half, b, z))
    outside = select(near, sqrt(df), y)
    whole = df + outside * outside
    tail = 0.5 * _betainc_inside(df / 2.0, half, df / whole, outside * outside / whole)
    return select(near, 0.5 + middle, select(y < 0.0, tail, 1.0 - tail))
def _t_density(df, y):
    return stats_t_pdf(y, df)

def stats_gamma_pdf(x, a, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    return select(y >= 0.0, _gamma_density(_doubles(a), select(y >= 0.0, y, 1.0)), 0.0) / _doubles(scale)
def stats_gamma_logpdf(x, a, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    return select(y >= 0.0, _log_gamma_density(_doubles(a), select(y >= 0.0, y, 1.0)), -inf) - log(_doubles(scale))
def stats_gamma_cdf(x, a, loc=0.0, scale=1.0):
    return special_gammainc(a, _from_zero(_standard(x, loc, scale)))
def stats_gamma_sf(x, a, loc=0.0, scale=1.0):
    return special_gammaincc(a, _from_zero(_standard(x, loc, scale)))
def stats_chi2_pdf(x, df, loc=0.0, scale=1.0):
    return stats_gamma_pdf(x, _doubles(df) / 2.0, loc, 2.0 * _doubles(scale))
def stats_chi2_logpdf(x, df, loc=0.0, scale=1.0):
    return stats_gamma_logpdf(x, _doubles(df) / 2.0, loc, 2.0 * _doubles(scale))
def stats_chi2_cdf(x, df, loc=0.0, scale=1.0):
    return stats_gamma_cdf(x, _doubles(df) / 2.0, loc, 2.0 * _doubles(scale))
def stats_chi2_sf(x, df, loc=0.0, scale=1.0):
    return stats_gamma_sf(x, _doubles(df) / 2.0, loc, 2.0 * _doubles(scale))

def stats_beta_pdf(x, a, b, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    is_inside = logical_and(y >= 0.0, y <= 1.0)
    return select(is_inside, _beta_density(_doubles(a), _doubles(b), select(is_inside, y, 0.5)), 0.0) / _doubles(scale)
def stats_beta_logpdf(x, a, b, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    is_inside = logical_and(y >= 0.0, y <= 1.0)
    density = _log_beta_density(_doubles(a), _doubles(b), select(is_inside, y, 0.5))
    return select(is_inside, density, -inf) - log(_doubles(scale))

def stats_beta_cdf(x, a, b, loc=0.0, scale=1.0):
    return special_betainc(a, b, _from_zero_to_one(_standard(x, loc, scale)))
def stats_beta_sf(x, a, b, loc=0.0, scale=1.0):
    return special_betainc(b, a, _from_zero_to_one(1.0 - _standard(x, loc, scale)))

def stats_lognorm_pdf(x, s, loc=0.0, scale=1.0):
    return exp(stats_lognorm_logpdf(x, s, loc, scale))
def stats_lognorm_logpdf(x, s, loc=0.0, scale=1.0):
    y = _standard(x, loc, scale)
    inside = select(y > 0.0, y, 1.0)
    density = stats_norm_logpdf(log(inside), 0.0, s) - log(inside)
    return select(y > 0.0, density, -inf) - log(_doubles(scale))

def stats_poisson_pmf(k, mu, loc=0.0):
    k = _doubles(k) - _doubles(loc)
    is_inside = logical_and(k >= 0.0, k == floor(k))
    return select(is_inside, _gamma_density(select(is_inside, k, 0.0) + 1.0, _doubles(mu)), 0.0)
def stats_poisson_logpmf(k, mu, loc=0.0):
    k = _doubles(k) - _doubles(loc)
    is_inside = logical_and(k >= 0.0, k == floor(k))
    return select(is_inside, _log_gamma_density(select(is_inside, k, 0.0) + 1.0, _doubles(mu)), -inf)
# With respect to the mean there is a derivative.
def stats_poisson_cdf(k, mu, loc=0.0):
    k = floor(_doubles(k) - _doubles(loc))
    return select(k < 0.0, 0.0, special_gammaincc(maximum(k, 0.0) + 1.0, _doubles(mu)))
def stats_poisson_sf(k, mu, loc=0.0):
    k = floor(_doubles(k) - _doubles(loc))
    return select(k < 0.0, 1.0, special_gammainc(maximum(k, 0.0) + 1.0, _doubles(mu)))

def stats_multivariate_normal_pdf(x, mean=None, cov=1.0):
    return exp(stats_multivariate_normal_logpdf(x, mean, cov))
def stats_multivariate_normal_logpdf(x, mean=None, cov=1.0):
    x = _doubles(x)
    cov = _doubles(cov)
    mean = 0.0 if mean is None else _doubles(mean)
    n = shape_of(cov)[0] if ndim(cov) == 2 else size(mean)
    x = with_shape(x, (size(x), 1) if n == 1 else (1, size(x))) if ndim(x) < 2 else x
    cov = cov if ndim(cov) == 2 else eye(n) * cov
    points = with_shape(x - mean, (size(x) // n, n))
    factor = linalg_cholesky(cov)
    whitened = linalg_solve(factor, transpose(points))
    half = sum(log(diagonal(factor)))
    density = -0.5 * sum(whitened * whitened, axis=0) - half - log(sqrt(2.0 * pi)) * n
    outer = [count for count in shape_of(x)[:-1] if count != 1]
    return density[0] if len(outer) == 0 else with_shape(density, outer)

def stats_multivariate_normal_entropy(mean=None, cov=1.0):
    cov = atleast_2d(_doubles(cov))
    return 0.5 * len(cov) * log(2.0 * pi * exp(1.0)) + 0.5 * linalg_slogdet(cov)[1]

# Powers have derivatives at zero.
def stats_dirichlet_pdf(x, alpha):
    x = _doubles(x)
    alpha = _doubles(alpha)
    is_end = any(x == 0.0)
    at_end = prod(power(select(is_end, x, 1.0), alpha - 1.0)) * exp(gammaln(sum(alpha)) - sum(gammaln(alpha)))
    return select(is_end, at_end, exp(stats_dirichlet_logpdf(select(is_end, 1.0, x), alpha)))
def stats_dirichlet_logpdf(x, alpha):
    x = _doubles(x)
    alpha = _doubles(alpha)
    return sum(special_xlogy(alpha - 1.0, x)) + gammaln(sum(alpha)) - sum(gammaln(alpha))
