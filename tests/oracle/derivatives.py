"""Writes what functions of SciPy and their first and second derivatives are at whole, half, zero, equal and extreme arguments:
tests/numpy/derivatives.json, which tests/derivatives.rs reads.

    pip install mpmath
    python tests/oracle/derivatives.py

A row is [expression, [[arguments, value, gradient, rows of the second derivatives], …]]. Arguments are the elements of `p`. Values
are those of mpmath, derivatives its differences with many digits. A number that mpmath does not give is null, and not compared.
"""

import itertools
import json
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 60
OUT = Path(__file__).resolve().parent.parent / "numpy" / "derivatives.json"


def grid(*axes):
    return [list(point) for point in itertools.product(*axes)]


def normal_cdf(z):
    return mp.erfc(-z / mp.sqrt(2)) / 2


def normal_quantile(p):
    # Through the complement, which has the digits of small arguments.
    return -mp.sqrt(2) * mp.erfinv(1 - 2 * p)


def lower_gamma(a, x):
    # The series, whose digits do not depend on the shape.
    return x**a * mp.exp(-x) * mp.rgamma(a + 1) * mp.hyp1f1(1, a + 1, x)


def beyond(shapes, *deviations):
    """Points around the mean of the gamma distribution, by so many standard deviations."""
    return [[a, a + z * a**0.5] for a in shapes for z in deviations]


def beta_series(a, b, x):
    return x**a * (1 - x) ** b / (a * mp.beta(a, b)) * mp.hyp2f1(1, a + b, a + 1, x)


def lower_beta_of_large(a, b, x):
    return beta_series(a, b, x) if x < a / (a + b) else 1 - beta_series(b, a, 1 - x)


def lower_beta(a, b, x):
    return mp.betainc(a, b, 0, x, regularized=True)


def forced(rate, frequency):
    """The solution at 1 of y' = cos(frequency t) - rate y from 0."""
    turned = rate * mp.cos(frequency) + frequency * mp.sin(frequency) - rate * mp.exp(-rate)
    return turned / (rate**2 + frequency**2)


def t_cdf(y, v):
    middle = y / mp.sqrt(v) * mp.hyp2f1(mpf(1) / 2, (v + 1) / 2, mpf(3) / 2, -y * y / v)
    return mpf(1) / 2 + middle / mp.beta(mpf(1) / 2, v / 2)


def t_logpdf(y, v):
    return -(v + 1) / 2 * mp.log1p(y * y / v) - mp.log(v) / 2 - mp.log(mp.beta(mpf(1) / 2, v / 2))


def softplus(z):
    return z + mp.log1p(mp.exp(-z)) if z > 0 else mp.log1p(mp.exp(z))


def logistic_logpdf(z):
    return -softplus(z) - softplus(-z)


SHAPES = [0.001, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0, 10.5, 20.0, 100.0]
ODEINT = "integrate.odeint(lambda y, t: {}, np.array([{}]), np.array([0.0, 1.0]), rtol=1e-12, atol=1e-14)[1, 0]"
FEW = [0.5, 1.0, 2.0, 3.5, 20.0]
LINE = [-30.0, -3.0, -0.5, 0.0, 1e-9, 0.5, 1.0, 4.0, 30.0]

# Expression, function, points.
CASES = [
    ("special.gammainc(p[0], p[1])", lower_gamma, grid(SHAPES, [0.01, 0.5, 1.0, 2.0, 3.0, 11.5, 21.0, 101.0])),
    ("special.gammaincc(p[0], p[1])", lambda a, x: mp.gammainc(a, x, regularized=True), grid(SHAPES[1:], [0.01, 1.0, 2.0, 11.5, 101.0])),
    ("special.betainc(p[0], p[1], p[2])", lower_beta, grid(FEW, FEW, [0.01, 0.3, 0.5, 0.9])),
    ("special.betainc(p[0], p[1], p[2])", lower_beta, [[1000.0, 0.5, 0.999], [0.5, 300.0, 0.001], [300.0, 300.0, 0.5]]),
    ("special.beta(p[0], p[1])", mp.beta, grid([0.5, 1.0, 2.0, 19.0, 25.0], [0.5, 1.0, 2.0, 19.0, 25.0]) + [[-0.5, -0.5], [-1.5, 0.5]]),
    ("special.betaln(p[0], p[1])", lambda a, b: mp.log(mp.beta(a, b)), grid([0.5, 1.0, 20.0, 1e4], [0.5, 1.0, 20.0, 1e4])),
    ("special.gamma(p[0])", mp.gamma, grid([1e-3, 0.5, 1.0, 1.5, 2.0, 10.0, 100.0, -0.5, -2.5])),
    ("special.rgamma(p[0])", mp.rgamma, grid([-5.0, -2.0, -1.5, -1.0, 0.0, 1e-9, 0.5, 1.0, 2.0, 30.0])),
    ("special.gammaln(p[0])", mp.loggamma, grid([1e-3, 0.5, 1.0, 1.5, 2.0, 10.0, 1e5])),
    ("special.digamma(p[0])", mp.digamma, grid([1e-3, 0.5, 1.0, 1.5, 2.0, 10.0, 1e5, -0.5])),
    ("special.xlogy(p[0], p[1])", lambda x, y: x * mp.log(y), grid([0.0, 0.5, 1.0, -2.0], [1e-3, 1.0, 5.0])),
    ("special.xlog1py(p[0], p[1])", lambda x, y: x * mp.log1p(y), grid([0.0, 0.5, 1.0, -2.0], [-0.5, 0.0, 0.5, 5.0])),
    ("special.entr(p[0])", lambda x: -x * mp.log(x), grid([1e-6, 0.5, 1.0, 3.0])),
    ("special.rel_entr(p[0], p[1])", lambda x, y: x * mp.log(x / y), grid([1e-3, 0.5, 1.0, 3.0], [0.5, 1.0, 3.0])),
    ("special.kl_div(p[0], p[1])", lambda x, y: x * mp.log(x / y) - x + y, grid([1e-3, 0.5, 1.0, 3.0], [0.5, 1.0, 3.0])),
    ("special.logit(p[0])", lambda x: mp.log(x / (1 - x)), grid([1e-3, 0.3, 0.5, 0.65, 0.999])),
    ("special.expit(p[0])", lambda x: 1 / (1 + mp.exp(-x)), grid(LINE)),
    ("special.log_ndtr(p[0])", lambda x: mp.log(normal_cdf(x)), grid([-40.0, -20.0, -3.0, 0.0, 1.0, 5.0])),
    ("special.ndtri(p[0])", normal_quantile, grid([1e-6, 0.075, 0.3, 0.5, 0.925, 0.999])),
    ("special.erfinv(p[0])", mp.erfinv, grid([-0.999, -0.5, 0.0, 0.25, 0.85])),
    ("special.erfcinv(p[0])", lambda y: mp.erfinv(1 - y), grid([1e-5, 0.5, 1.0, 1.5])),
    ("special.iv(p[0], p[1])", mp.besseli, grid([0.0, 0.5, 1.0, 1.5, 2.0, 7.5], [0.1, 1.0, 20.0, 49.0, 100.0])),
    ("special.jn(2, p[0])", lambda x: mp.besselj(2, x), grid([-1.0, 0.0, 0.5, 2.0, 25.0, 26.0])),
    ("special.j0(p[0])", lambda x: mp.besselj(0, x), grid([-1.0, 0.0, 0.5, 2.0, 25.0, 100.0])),
    ("special.yn(1, p[0])", lambda x: mp.bessely(1, x), grid([0.5, 2.0, 25.0, 100.0])),
    ("np.sinc(p[0])", mp.sincpi, grid([0.0, 1e-9, 1e-4, 4e-4, 0.1, 0.31, 0.5, 1.25, 3.5])),
    ("np.logaddexp(p[0], p[1])", lambda a, b: b + softplus(a - b), grid([-2.0, 0.0, 800.0], [-2.0, 0.0, 800.0])),
    ("stats.norm.logcdf(p[0])", lambda x: mp.log(normal_cdf(x)), grid([-25.0, -1.0, 0.0, 2.0])),
    ("stats.norm.ppf(p[0])", normal_quantile, grid([0.01, 0.5, 0.7])),
    ("stats.laplace.cdf(p[0])", lambda x: mp.exp(x) / 2 if x < 0 else 1 - mp.exp(-x) / 2, grid([-2.0, -1e-9, 1e-9, 3.0])),
    ("stats.logistic.logpdf(p[0])", logistic_logpdf, grid(LINE)),
    ("stats.logistic.pdf(p[0])", lambda x: mp.exp(logistic_logpdf(x)), grid([-3.0, 0.0, 1.0])),
    ("stats.logistic.cdf(p[0])", lambda x: 1 / (1 + mp.exp(-x)), grid([-3.0, 0.0, 1.0])),
    ("stats.cauchy.logpdf(p[0])", lambda x: -mp.log(mp.pi) - mp.log1p(x * x), grid([-3.0, 0.0, 1.0])),
    ("stats.cauchy.cdf(p[0])", lambda x: mpf(1) / 2 + mp.atan(x) / mp.pi, grid([-3.0, 0.0, 1.0])),
    ("stats.t.logpdf(p[0], p[1])", t_logpdf, grid([-2.0, 0.0, 0.5, 10.0], [0.5, 1.0, 2.0, 30.0, 1e6])),
    ("stats.t.cdf(p[0], p[1])", t_cdf, grid([-10.0, -1.0, -0.1, 0.0, 0.5, 2.0], [0.5, 1.0, 2.0, 5.0, 30.0])),
    ("stats.t.sf(p[0], p[1])", lambda y, v: 1 - t_cdf(y, v), grid([-0.1, 0.0, 2.0], [1.0, 2.5])),
    ("stats.gamma.logpdf(p[0], p[1])", lambda x, a: (a - 1) * mp.log(x) - x - mp.loggamma(a), grid([0.1, 1.0, 5.0], [0.5, 1.0, 2.0, 50.0])),
    ("stats.gamma.cdf(p[0], p[1])", lambda x, a: lower_gamma(a, x), grid([0.1, 1.0, 5.0], [0.5, 1.0, 2.0, 50.0])),
    ("stats.chi2.cdf(p[0], p[1])", lambda x, a: lower_gamma(a / 2, x / 2), grid([0.1, 2.0, 5.0], [1.0, 2.0, 4.0])),
    ("stats.chi2.sf(p[0], p[1])", lambda x, a: 1 - lower_gamma(a / 2, x / 2), grid([2.0, 9.0], [1.0, 2.0, 4.0])),
    ("stats.beta.logpdf(p[0], p[1], p[2])", lambda x, a, b: (a - 1) * mp.log(x) + (b - 1) * mp.log1p(-x) - mp.log(mp.beta(a, b)), grid([0.1, 0.5], [0.5, 1.0, 2.0], [1.0, 3.0])),
    ("stats.beta.cdf(p[0], p[1], p[2])", lambda x, a, b: lower_beta(a, b, x), grid([0.1, 0.5], [0.5, 1.0, 2.0], [1.0, 3.0])),
    ("stats.poisson.pmf(2, p[0])", lambda m: m**2 * mp.exp(-m) / 2, grid([0.0, 1.0, 2.0, 9.0])),
    ("stats.poisson.pmf(1, p[0])", lambda m: m * mp.exp(-m), grid([0.0, 1.0])),
    ("stats.poisson.logpmf(0, p[0])", lambda m: -m, grid([0.0, 1.0])),
    ("stats.poisson.cdf(3, p[0])", lambda m: 1 - lower_gamma(mpf(4), m), grid([0.5, 4.0, 5.0])),
    ("stats.lognorm.logpdf(p[0], p[1])", lambda x, s: -mp.log(x * s) - mp.log(2 * mp.pi) / 2 - (mp.log(x) / s) ** 2 / 2, grid([0.5, 1.0], [0.5, 2.0])),
    # At the end of a support, from inside.
    ("stats.gamma.pdf(p[0], 1.0)", lambda x: mp.exp(-x), grid([0.0])),
    ("stats.gamma.pdf(p[0], 2.0)", lambda x: x * mp.exp(-x), grid([0.0])),
    ("stats.gamma.pdf(p[0], 3.0)", lambda x: x**2 * mp.exp(-x) / 2, grid([0.0])),
    ("stats.beta.pdf(p[0], 2.0, 3.0)", lambda x: 12 * x * (1 - x) ** 2, grid([0.0, 1.0])),
    ("special.betainc(2.0, 3.0, p[0])", lambda x: 6 * x**2 - 8 * x**3 + 3 * x**4, grid([0.0, 1.0])),
    ("special.gammainc(2.0, p[0])", lambda x: 1 - mp.exp(-x) * (1 + x), grid([0.0])),
    ("np.sum(special.softmax(p) ** 2)", lambda a, b: (mp.exp(2 * a) + mp.exp(2 * b)) / (mp.exp(a) + mp.exp(b)) ** 2, [[0.0, 0.0], [1.0, -1.0]]),
    # Where the value stands still, or does not see the argument.
    (ODEINT.format("np.array([y[1], -np.sin(y[0])])", "p[0], 0.0"), lambda x: x * mp.cos(1), [[0.0]]),
    (ODEINT.format("y * (1.0 - y)", "p[0]"), lambda x: x * mp.e / (1 + x * (mp.e - 1)), grid([0.0, 0.5, 1.0])),
    (ODEINT.format("p[0] * np.cos(10.0 * t)", "0.0"), lambda x: x * mp.sin(10) / 10, [[0.0]]),
    (ODEINT.format("p[0] ** 2 * np.cos(20.0 * t) - 0.1 * y", "0.0"), lambda x: x * x * forced(mpf(1) / 10, 20), [[0.0], [0.5]]),
    (ODEINT.format("p[0] * p[1] * np.cos(20.0 * t)", "0.0"), lambda x, y: x * y * mp.sin(20) / 20, [[0.0, 0.0], [0.0, 1.0]]),
    # Large shapes, and small ones.
    ("special.gammainc(p[0], p[1])", lower_gamma, beyond([21.0, 1e3, 1e5], -3.0, -0.5, 0.0, 2.0)),
    ("special.gammaincc(p[0], p[1])", lambda a, x: 1 - lower_gamma(a, x), beyond([21.0, 1e3, 1e5], -3.0, 0.0, 0.5, 5.0)),
    ("special.gammaincc(p[0], p[1])", lambda a, x: mp.gammainc(a, x, regularized=True), grid([1e-10, 1e-3, 0.124, 0.126], [1e-3, 0.4, 0.6, 3.0])),
    ("special.gammaincc(1e-200, p[0])", lambda x: mpf(1e-200) * mp.e1(x), grid([1e-9, 0.4, 0.6, 3.0])),
    ("special.betainc(p[0], p[1], p[2])", lower_beta_of_large, [[30.0, 30.0, 0.5], [1e3, 2e3, 0.32], [1e4, 0.5, 0.9999], [0.5, 1e4, 1e-4], [1e4, 30.0, 0.996]]),
    ("special.betainc(p[0], p[1], p[2])", lower_beta_of_large, grid([1e-10, 0.1, 5.0, 30.0], [1e-10, 0.1, 5.0, 30.0], [0.1, 0.9])),
    ("special.kl_div(p[0], p[1])", lambda x, y: x * mp.log(x / y) - x + y, [[1.0, 1.0 + 1e-8], [3.0, 2.9], [1.0, 1.0]]),
    ("stats.cauchy.cdf(p[0])", lambda x: mp.acot(-x) / mp.pi if x < 0 else 1 - mp.acot(x) / mp.pi, grid([-1e20, -2.0, 3.0])),
    ("special.betainc(1e-300, 1e-300, p[0])", lambda x: mpf(1) / 2, grid([0.25, 0.75])),
    ("special.beta(p[0], p[1])", mp.beta, grid([1e-10, 3.0], [1e-10, 30.0])),
    ("special.betaln(p[0], p[1])", lambda a, b: mp.log(mp.beta(a, b)), grid([1e-10, 1e6], [1e-10, 1e6])),
    ("stats.t.cdf(p[0], p[1])", t_cdf, grid([-10.0, -1.0, 0.5, 4.0], [0.001, 40.0, 1e3])),
    ("stats.t.cdf(p[0], 1e30)", normal_cdf, grid([-8.0, -1.0, 0.5, 4.0])),
    ("stats.gamma.logpdf(p[0], p[1])", lambda x, a: (a - 1) * mp.log(x) - x - mp.loggamma(a), beyond([1e5, 1e10], -2.0, 0.0, 1.0)),
    ("stats.poisson.pmf(1e15, p[0])", lambda m: mp.exp(mpf(1e15) * mp.log(m) - m - mp.loggamma(mpf(1e15) + 1)), grid([1e15, 1e15 + 3e7])),
    ("stats.beta.logpdf(p[0], 1e10, 2e10)", lambda x: (mpf(1e10) - 1) * mp.log(x) + (mpf(2e10) - 1) * mp.log1p(-x) - mp.log(mp.beta(1e10, 2e10)), grid([0.33333])),
    ("special.polygamma(2, p[0])", lambda x: mp.polygamma(2, x), grid([-100.5, -10.5, -0.5, 1e-3, 1e8])),
    ("special.polygamma(60, p[0])", lambda x: mp.polygamma(60, x), grid([0.5, 2.0, 1e5])),
    ("special.rgamma(p[0])", mp.rgamma, grid([-170.0, -169.5, -165.5, -164.5, 170.5])),
    ("np.arctanh(p[0])", mp.atanh, grid([1e-9, 0.5, 1.0 - 1e-9])),
    ("np.arcsin(p[0])", mp.asin, grid([1e-9, 0.5, 1.0 - 1e-9])),
    # Equal values, of which each has no derivatives.
    ("np.sum(np.linalg.eigvalsh(np.array([[p[0], p[1]], [p[1], p[2]]])) ** 3)", lambda a, b, c: a**3 + c**3 + 3 * b * b * (a + c), [[2.0, 0.0, 2.0], [0.0, 0.0, 0.0], [1.0, 0.5, 2.0]]),
    ("np.sum(np.linalg.svd(np.array([[p[0], p[1]], [p[2], p[3]]]))[1] ** 2)", lambda a, b, c, d: a * a + b * b + c * c + d * d, [[2.0, 0.0, 0.0, 2.0], [0.0, 1.5, -1.5, 0.0], [0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 2.0, 4.0]]),
    ("((p[0] + 1j * p[1]) ** 2.0).real", lambda x, y: x * x - y * y, [[0.0, 0.0]]),
    ("((p[0] + 1j * p[1]) ** 3.0).imag", lambda x, y: 3 * x * x * y - y**3, [[0.0, 0.0]]),
    ("((p[0] + 1j * p[1]) ** 1.0).imag", lambda x, y: y, [[0.0, 0.0]]),
    ("np.exp(special.logsumexp(p - np.inf))", lambda a, b: mpf(0), [[0.0, 0.0]]),
    ("special.logsumexp(p)", lambda a, b: b + softplus(a - b), [[0.0, 0.0], [1.0, -1.0], [700.0, 0.0]]),
]


def number(f, size):
    try:
        value = mp.re(f())
    except (ValueError, ZeroDivisionError, mp.NoConvergence):
        return None
    # What differences leave of zero is nothing.
    return (0.0 if abs(value) < 1e-40 * size else float(value)) if mp.isfinite(value) else None


def row(expression, function, points):
    answers = []
    for point in points:
        exact = [mpf(x) for x in point]
        n = len(exact)
        value = number(lambda: function(*exact), 0)
        size = abs(value) or 1e-15

        def partial(*axes):
            orders = tuple(axes.count(i) for i in range(n))
            return number(lambda: mp.diff(function, tuple(exact) if n > 1 else exact[0], orders if n > 1 else orders[0]), size)

        hessian = [[None] * n for _ in range(n)]
        for i in range(n):
            for j in range(i, n):
                hessian[i][j] = hessian[j][i] = partial(i, j)
        answers.append([point, value, [partial(i) for i in range(n)], hessian])
    return [expression, answers]


if __name__ == "__main__":
    rows = [row(*case) for case in CASES]
    OUT.write_text("[\n" + ",\n".join(json.dumps(r) for r in rows) + "\n]\n")
