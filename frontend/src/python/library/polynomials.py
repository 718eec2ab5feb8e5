# numpy.polynomial, for each kind of polynomials by its recurrence; coefficients begin with that of the lowest power. Quadrature of Gauss
# (Golub and Welsch 1969), with nodes as eigenvalues.

def poly(seq_of_zeros):
    p = array_of((1.0,))
    for zero in _arrays(array_of(seq_of_zeros) * 1.0):
        p = convolve(p, array_of((1.0, -zero)))
    return _narrow_like(seq_of_zeros, p)
def polydiv(u, v):
    u, v = atleast_1d(u) * 1.0, atleast_1d(v) * 1.0
    m, n = len(u), len(v)
    if m < n:
        return zeros((1,)), u
    whole = u
    quotient = ()
    for i in _numbers(m - n + 1):
        c = u[i] / v[0]
        quotient = quotient + (c,)
        u = u - pad(c * v, (i, m - n - i))
    return _narrow_like(whole, array_of(quotient)), u[m - n + 1:] if n > 1 else zeros_like(whole[:1])

# The polynomials of so many degrees, as a tuple. Each is b x times the one before, less c times the one before that, where `step` gives b and c
# for the degree.
def _family(x, n, step):
    x = array_of(x) * 1.0
    values = (ones_like(x),)
    for k in _numbers(n)[1:]:
        b, c = step(k)
        values = values + (b * x * values[k - 1] - c * (values[k - 2] if k > 1 else 0.0),)
    return values
def _power_step(k):
    return 1.0, 0.0
def _chebyshev_step(k):
    return 1.0 if k == 1 else 2.0, 1.0
def _legendre_step(k):
    return (2.0 * k - 1.0) / k, (k - 1.0) / k
def _hermite_step(k):
    return 2.0, 2.0 * (k - 1)
def _hermite_e_step(k):
    return 1.0, 1.0 * (k - 1)
def _series(x, c, step):
    c = array_of(c)
    c = atleast_1d(c)
    total = 0.0
    for value, coefficient in zip(_family(x, len(c), step), _arrays(c)):
        total = total + (coefficient if ndim(c) == 1 or ndim(x) == 0 else with_shape(coefficient, shape_of(coefficient) + (1,) * ndim(x))) * value
    return total
def _matrix_of_family(x, deg, step):
    return stack(_family(x, constant(deg, "the degree") + 1, step), -1)
def _fitted_family(x, y, deg, step, w):
    powers = _matrix_of_family(_floats(x), deg, step)
    y = _floats(y)
    if w is not None:
        powers, y = powers * with_shape(array_of(w), (len(x), 1)), y * (array_of(w) if ndim(y) == 1 else with_shape(array_of(w), (len(x), 1)))
    scale = sqrt(sum(powers * powers, 0))
    solved = linalg_lstsq(powers / scale, y)[0]
    return solved / (scale if ndim(y) == 1 else with_shape(scale, (len(scale), 1)))
def polynomial_polynomial_polyval(x, c):
    return _series(x, c, _power_step)
def polynomial_polynomial_polyvander(x, deg):
    return _matrix_of_family(x, deg, _power_step)
def polynomial_polynomial_polyfit(x, y, deg, *, w=None):
    return _fitted_family(x, y, deg, _power_step, w)
def polynomial_chebyshev_chebval(x, c):
    return _series(x, c, _chebyshev_step)
def polynomial_chebyshev_chebvander(x, deg):
    return _matrix_of_family(x, deg, _chebyshev_step)
def polynomial_chebyshev_chebfit(x, y, deg, *, w=None):
    return _fitted_family(x, y, deg, _chebyshev_step, w)
def polynomial_legendre_legval(x, c):
    return _series(x, c, _legendre_step)
def polynomial_legendre_legvander(x, deg):
    return _matrix_of_family(x, deg, _legendre_step)
def polynomial_legendre_legfit(x, y, deg, *, w=None):
    return _fitted_family(x, y, deg, _legendre_step, w)
def polynomial_hermite_hermval(x, c):
    return _series(x, c, _hermite_step)
def polynomial_hermite_hermvander(x, deg):
    return _matrix_of_family(x, deg, _hermite_step)
def polynomial_hermite_hermfit(x, y, deg, *, w=None):
    return _fitted_family(x, y, deg, _hermite_step, w)
def polynomial_hermite_e_hermeval(x, c):
    return _series(x, c, _hermite_e_step)
def polynomial_hermite_e_hermevander(x, deg):
    return _matrix_of_family(x, deg, _hermite_e_step)
def polynomial_hermite_e_hermefit(x, y, deg, *, w=None):
    return _fitted_family(x, y, deg, _hermite_e_step, w)
# Laguerre's have a constant in the factor, which the argument 1 - x takes up.
def polynomial_laguerre_lagval(x, c):
    x = array_of(x) * 1.0
    c = atleast_1d(c)
    before, value, total = 0.0, ones_like(x), 0.0
    for k, coefficient in enumerate(_arrays(c)):
        total = total + coefficient * value
        before, value = value, ((2.0 * k + 1.0 - x) * value - k * before) / (k + 1.0)
    return total
def polynomial_polynomial_polyadd(c1, c2):
    return flip(polyadd(flip(atleast_1d(c1)), flip(atleast_1d(c2))))
def polynomial_polynomial_polysub(c1, c2):
    return flip(polysub(flip(atleast_1d(c1)), flip(atleast_1d(c2))))
def polynomial_polynomial_polymul(c1, c2):
    return polymul(c1, c2)
def polynomial_polynomial_polyder(c, m=1):
    return _narrow_like(c, flip(polyder(flip(atleast_1d(c)), m)) * 1.0)
def polynomial_polynomial_polyint(c, m=1, k=0.0):
    return _narrow_like(c, flip(polyint(flip(atleast_1d(c)), m, k)))
def polynomial_legendre_leggauss(deg):
    n = constant(deg, "the number of nodes")
    k = iota((n - 1, 0)) + 1.0
    return _gauss(n, zeros((n,)), k / sqrt(4.0 * k * k - 1.0), 2.0)
def polynomial_hermite_hermgauss(deg):
    n = constant(deg, "the number of nodes")
    return _gauss(n, zeros((n,)), sqrt((iota((n - 1, 0)) + 1.0) / 2.0), sqrt(pi))
def polynomial_hermite_e_hermegauss(deg):
    n = constant(deg, "the number of nodes")
    return _gauss(n, zeros((n,)), sqrt(iota((n - 1, 0)) + 1.0), sqrt(2.0 * pi))
def polynomial_laguerre_laggauss(deg):
    n = constant(deg, "the number of nodes")
    return _gauss(n, 2.0 * iota((n, 0)) + 1.0, iota((n - 1, 0)) + 1.0, 1.0)
def polynomial_chebyshev_chebgauss(deg):
    n = constant(deg, "the number of nodes")
    return cos((2.0 * iota((n, 0)) + 1.0) * (pi / (2.0 * n))), full((n,), pi / n)
# From the elements of the matrix with three diagonals. Of a symmetric one nodes are in pairs.
def _gauss(n, d, e, total):
    if n == 1:
        return d * 1.0, full((1,), 1.0 * total)
    x, v = _eigh(diag(d) + diag(e, -1))
    w = total * v[0] * v[0]
    even = max(abs(d)) == 0.0
    return select(even, 0.5 * (x - flip(x)), x), select(even, 0.5 * (w + flip(w)), w)
def special_roots_legendre(n):
    return polynomial_legendre_leggauss(n)
def special_roots_hermite(n):
    return polynomial_hermite_hermgauss(n)
def special_roots_hermitenorm(n):
    return polynomial_hermite_e_hermegauss(n)
def special_roots_laguerre(n):
    return polynomial_laguerre_laggauss(n)
def special_roots_chebyt(n):
    x, w = polynomial_chebyshev_chebgauss(n)
    return flip(x), w
# Polynomials of a degree that is known.
def _one_of_family(n, x, step):
    n = constant(n, "the degree")
    return _family(_doubles(x), n + 1, step)[n] if n >= 0 else refuse("a degree is not negative")
def special_eval_legendre(n, x):
    return _one_of_family(n, x, _legendre_step)
def special_eval_chebyt(n, x):
    return _one_of_family(n, x, _chebyshev_step)
def special_eval_chebyu(n, x):
    return _one_of_family(n, x, lambda k: (2.0, 1.0))
def special_eval_hermite(n, x):
    return _one_of_family(n, x, _hermite_step)
def special_eval_hermitenorm(n, x):
    return _one_of_family(n, x, _hermite_e_step)
def special_eval_laguerre(n, x):
    n = constant(n, "the degree")
    return polynomial_laguerre_lagval(_doubles(x), eye(n + 1)[n])
