"""What programs use of `scipy.optimize`, `scipy.integrate` and `scipy.interpolate`, on mpmath's numbers.

SciPy's own functions say where a solution is; on mpmath's numbers it is found again to all digits, from what it fulfils. On floats the
answer is that of mpmath's numbers, rounded: SciPy's own is as far from it as its tolerances allow, which `close` checks. So derivatives
by differences are those of the exact solution, and share nothing with the library.
"""

import types

import mpmath
import numpy
import scipy.integrate
import scipy.interpolate
import scipy.optimize
from mpmath import mp, mpf

FAR = mpf(10) ** -6  # how far SciPy's answers may be


def exact(x):
    """A number or an array on mpmath's numbers."""
    return numpy.vectorize(mpf, otypes=[object])(x) if isinstance(x, numpy.ndarray) else mpf(x)


def plain(x):
    """A number, an array or a tuple on floats."""
    if isinstance(x, tuple):
        return tuple(map(plain, x))
    return x.astype(float) if isinstance(x, numpy.ndarray) and x.dtype == object else float(x) if isinstance(x, mpf) else x


def near(found, begin):
    if numpy.max(abs(numpy.array(found) - numpy.array(begin))) > FAR * (1 + numpy.max(abs(numpy.array(begin)))):
        raise AssertionError(f"SciPy has {begin}, mpmath {found}")
    return found


def as_args(args):
    return args if isinstance(args, tuple) else (args,)


def one(y):
    return numpy.ravel(y)[0]


def slopes(f, x, step=mpf(10) ** -60):
    """The derivatives of a function of a vector, by differences: a row for each result."""
    columns = []
    for i in range(len(x)):
        by = numpy.array([step if k == i else mpf(0) for k in range(len(x))], dtype=object)
        columns.append((numpy.ravel(f(x + by)) - numpy.ravel(f(x - by))) / (2 * step))
    return numpy.array(columns, dtype=object).T


def solved(f, x):
    """Where a function from a vector to a vector is zero, by Newton's method."""
    x = exact(numpy.array(x, dtype=float))
    for _ in range(60):
        y = numpy.ravel(f(x))
        if max(abs(v) for v in y) < mpf(10) ** -150:
            return x
        step = mpmath.lu_solve(mpmath.matrix(slopes(f, x).tolist()), mpmath.matrix([mpf(v) for v in y]))
        x = x - numpy.array(list(step), dtype=object)
    raise AssertionError("Newton's method does not converge")


def slope(f):
    return lambda x: slopes(lambda x: numpy.array([one(f(x))], dtype=object), x)[0]


def load(mode):
    """The modules, where `mode["precise"]` says what numbers programs are run with."""
    optimize, integrate, interpolate = (types.ModuleType(f"scipy.{name}") for name in ("optimize", "integrate", "interpolate"))

    def answer(x):
        return x if mode["precise"] else plain(x)

    def root(begin, f, args):
        x = solved(lambda x: numpy.array([one(f(x[0], *args))], dtype=object), [begin])[0]
        return answer(near(x, begin))

    def bracketed(function):
        return lambda f, a, b, args=(), xtol=None: root(function(lambda x: float(f(x, *as_args(args))), float(a), float(b)), f, as_args(args))

    for name in ("brentq", "brenth", "bisect", "ridder"):
        setattr(optimize, name, bracketed(getattr(scipy.optimize, name)))

    def newton(func, x0, fprime=None, args=(), fprime2=None):
        return root(scipy.optimize.newton(lambda x: float(func(x, *as_args(args))), float(x0)), func, as_args(args))

    def fixed_point(func, x0, args=()):
        args = as_args(args)
        begin = scipy.optimize.fixed_point(lambda x: float(func(x, *args)), float(x0))
        return root(float(begin), lambda x, *args: func(x, *args) - x, args)

    def root_scalar(f, args=(), method=None, bracket=None, x0=None, fprime=None):
        begin = scipy.optimize.root_scalar(lambda x: float(f(x, *as_args(args))), bracket=bracket, x0=x0)
        return types.SimpleNamespace(root=root(begin.root, f, as_args(args)), converged=True)

    def system(begin, f, args):
        return answer(near(solved(lambda x: f(x, *args), begin), begin))

    def floats_of(f, args):
        return lambda x, *more: plain(exact(numpy.array(numpy.ravel(f(x, *args)), dtype=object)))

    def fsolve(func, x0, args=()):
        args = as_args(args)
        return system(scipy.optimize.fsolve(floats_of(func, args), numpy.array(x0, dtype=float), xtol=1e-12), func, args)

    def root_of_system(fun, x0, args=(), method="hybr"):
        return types.SimpleNamespace(x=fsolve(fun, x0, args), success=True)

    def least(f, begin, args):
        x = system(begin, lambda x, *args: slope(lambda x: f(x, *args))(x), args)
        return x, answer(one(f(exact(x), *args)))

    def minimize(fun, x0, args=(), method=None, jac=None):
        args = as_args(args)
        of = (lambda x, *args: fun(x, *args)[0]) if jac is True else fun
        begin = scipy.optimize.minimize(lambda x: float(one(of(x, *args))), numpy.array(x0, dtype=float), tol=1e-10).x
        x, value = least(of, begin, args)
        return types.SimpleNamespace(x=x, fun=value, success=True)

    def minimize_scalar(fun, bracket=None, bounds=None, args=(), method=None):
        args = as_args(args)
        begin = scipy.optimize.minimize_scalar(lambda x: float(fun(x, *args)), bracket=bracket, bounds=bounds).x
        x, value = least(lambda x, *args: fun(x[0], *args), numpy.array([begin]), args)
        return types.SimpleNamespace(x=x[0], fun=value, success=True)

    def least_squares(fun, x0, args=()):
        args = as_args(args)
        begin = scipy.optimize.least_squares(floats_of(fun, args), numpy.array(x0, dtype=float), xtol=1e-14, ftol=1e-14, gtol=1e-14).x
        x, cost = least(lambda x, *args: sum(v * v for v in numpy.ravel(fun(x, *args))) / 2, begin, args)
        return types.SimpleNamespace(x=x, cost=cost, success=True)

    def curve_fit(f, xdata, ydata, p0=None, sigma=None, absolute_sigma=False):
        rest = lambda p: (f(xdata, *p) - ydata) / (1 if sigma is None else sigma)
        p = least_squares(rest, p0).x
        matrix = slopes(rest, exact(p))
        inverse = numpy.array(mpmath.inverse(mpmath.matrix((matrix.T @ matrix).tolist())).tolist(), dtype=object)
        spread = mpf(1) if absolute_sigma else sum(v * v for v in rest(exact(p))) / (len(ydata) - len(p))
        return p, answer(inverse * spread)

    optimize.newton, optimize.fixed_point, optimize.root_scalar, optimize.fsolve = newton, fixed_point, root_scalar, fsolve
    optimize.root, optimize.minimize, optimize.minimize_scalar = root_of_system, minimize, minimize_scalar
    optimize.least_squares, optimize.curve_fit = least_squares, curve_fit

    def quad(func, a, b, args=(), points=(), epsabs=None, epsrel=None):
        args = as_args(args)
        begin = scipy.integrate.quad(lambda x: float(func(x, *args)), float(a), float(b))[0]
        with mpmath.workdps(170):
            ends = [mpmath.mpmathify(e) for e in (a, *points, b)]
            found = mpmath.quad(lambda x: func(x, *args), ends)
        return answer(near(found, begin)), 0.0

    def dblquad(func, a, b, gfun, hfun, args=()):
        end = lambda e, x: e(x) if callable(e) else e
        return quad(lambda x: quad(lambda y: func(y, x, *args), end(gfun, x), end(hfun, x))[0], a, b)

    integrate.quad, integrate.dblquad = quad, dblquad
    def solve_ivp(fun, t_span, y0, method="RK45", t_eval=None, args=(), rtol=None, atol=None):
        begin = scipy.integrate.solve_ivp(
            lambda t, y: numpy.array(plain(exact(numpy.array(fun(t, y, *args), dtype=object))), dtype=float),
            [float(t) for t in t_span], [float(v) for v in y0], "DOP853", t_eval=[float(t) for t in t_eval], rtol=1e-12, atol=1e-12,
        )  # fmt: skip
        with mpmath.workdps(78):
            path = mpmath.odefun(lambda t, y: list(fun(t, numpy.array(y, dtype=object), *args)), mpf(t_span[0]), [mpf(v) for v in y0])
            rows = numpy.array([path(mpf(t)) for t in t_eval], dtype=object).T
        return types.SimpleNamespace(t=t_eval, y=answer(near(rows, begin.y)), success=True)

    integrate.solve_ivp = solve_ivp
    # Sums of what they are given are those of mpmath's numbers, too.
    for name in ("simpson", "trapezoid", "cumulative_trapezoid", "romb", "fixed_quad"):
        setattr(integrate, name, getattr(scipy.integrate, name))

    return {"scipy.optimize": optimize, "scipy.integrate": integrate, "scipy.interpolate": interpolate}
