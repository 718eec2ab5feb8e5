# scipy.optimize. Each function looks for a solution x of equations f(x, *args) = 0: roots, or points where a slope is zero. Derivatives are
# those of the implicit function theorem: of the equations, and not of the way on which the solution was found. What that begins with, a
# bracket or a point, has derivative zero. The functions take derivatives of `func` by themselves, where SciPy is given them.

@dataclass(frozen=True)
class scipy_root:
    root: object
    converged: object
    flag: object
    method: object
@dataclass(frozen=True)
class scipy_minimum:
    x: object
    fun: object
    jac: object
    success: object
    status: object
    message: object
@dataclass(frozen=True)
class scipy_minimum_of_number:
    x: object
    fun: object
    success: object
    message: object
@dataclass(frozen=True)
class scipy_solution:
    x: object
    fun: object
    success: object
    status: object
    message: object
    method: object
@dataclass(frozen=True)
class scipy_squares:
    x: object
    cost: object
    fun: object
    jac: object
    grad: object
    optimality: object
    active_mask: object
    success: object
    status: object
    message: object

# `solve` finds the solution, given the function of the equations and its arguments.
def _solved(solve, f, args):
    return applied_ruled(_solved_value, _solved_back, _solved_push, (solve, f, args))
def _solved_value(solve, f, args):
    return solve(f, args)
def _solved_back(solve, f, args):
    x = _determined(_solved(solve, f, args), f, args)
    def pullback(cotangent):
        w = _moved_against(f, x, args, shown(cotangent, x), True)
        cotangents = pulled(f, (x,) + args)[1](given(w, x, "cotangent"))
        return (no_captures(), _nothing(solve), environment_of(cotangents[0], f, (x,) + args), cotangents[2:])
    return (x, pullback)
def _solved_push(own, solve, f, args, dsolve, df, dargs):
    x = _determined(_solved(solve, f, args), f, args)
    moved = shown(pushed(f, df, (x,) + args, (_nothing(x),) + dargs)[1], x)
    return (x, given(_moved_against(f, x, args, moved, False), x, "tangent"))
# How far the solution moves where the equations are moved by so much.
def _moved_against(f, x, args, by, is_transposed):
    slopes = _slopes(f, x, args)
    if ndim(x) == 0:
        return -by / slopes
    return -linalg_solve(transpose(slopes) if is_transposed else slopes, by)
# The solution, of which a small step by slopes leads to where the equations hold. That is not so where there are kinks or jumps.
def _determined(x, f, args):
    step = abs(_moved_against(f, x, args, applied(f, (x,) + args), False))
    if not all(step <= 0.01 * (1.0 + abs(x))):
        raise ValueError("the solution has no derivative: what it fulfils has a kink or a jump there, or does not determine it")
    return x
def _slopes(f, x, args):
    return _jacfwd(lambda x: applied(f, (x,) + args), x, False)
def _arguments(args):
    return args if isinstance(args, tuple) else (args,)
# A function whose results are floats, or arrays with one axis.
def _giving_number(f, name):
    return lambda *x: _one_number(f(*x), name)
def _one_number(y, name):
    y = _doubles(y)
    return with_shape(y, ()) if size(y) == 1 else refuse(("`", name, "` needs a function that gives a number, and no array of shape ", shape_of(y)))
def _giving_vector(f):
    return lambda *x: ravel(_doubles(f(*x)))
def _vector(x, name):
    x = atleast_1d(_doubles(x))
    return x if ndim(x) == 1 else refuse(("`", name, "` begins with a vector, and not with an array of shape ", shape_of(x)))
# Of functions that give the value and its slope, the first.
def _value_of_pair(f, slope):
    return (lambda *x: f(*x)[0]) if _is_true(slope) else f
def _is_true(slope):
    return constant(slope, "whether there is a slope beside the value") if isinstance(slope, bool) else False
def _only_none(value, name):
    return value if value is None else refuse(("`", name, "` is not supported"))
def _option(options, name, default):
    if options is None:
        return default
    return options[name] if name in options else default

# Roots between two places, where the function has different signs (Brent 1973, and for `brenth` Bus and Dekker 1975).
def optimize_brentq(f, a, b, args=(), xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, full_output=False, disp=True):
    return _bracketed(_brent_root(True), f, a, b, args, xtol, rtol, maxiter, full_output, disp, "brentq")
def optimize_brenth(f, a, b, args=(), xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, full_output=False, disp=True):
    return _bracketed(_brent_root(False), f, a, b, args, xtol, rtol, maxiter, full_output, disp, "brenth")
def optimize_bisect(f, a, b, args=(), xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, full_output=False, disp=True):
    return _bracketed(_halved_root, f, a, b, args, xtol, rtol, maxiter, full_output, disp, "bisect")
def optimize_ridder(f, a, b, args=(), xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, full_output=False, disp=True):
    return _bracketed(_root_of_ridder, f, a, b, args, xtol, rtol, maxiter, full_output, disp, "ridder")
def _bracketed(method, f, a, b, args, xtol, rtol, maxiter, full_output, disp, name):
    a, b = _one_number(a, name), _one_number(b, name)
    def solve(f, args):
        at = lambda x: applied(f, (x,) + args)
        if xtol <= 0.0:
            raise ValueError("`xtol` is not positive")
        fa, fb = at(a), at(b)
        if isnan(fa) or isnan(fb) or fa * fb > 0.0 and sign(fa) == sign(fb):
            raise ValueError("f(a) and f(b) have the same sign, so there may be no root between a and b")
        if fa == 0.0 or fb == 0.0:
            return a if fa == 0.0 else b
        return method(at, a, b, fa, fb, xtol, rtol, maxiter)
    x = _solved(solve, _giving_number(f, name), _arguments(args))
    return _with_results(x, full_output, name)
def _with_results(x, full_output, name):
    return (x, scipy_root(x, True, "converged", name)) if constant(full_output, "`full_output`") else x
def _found_root(found, x):
    if not found:
        raise RuntimeError("the root is not found within `maxiter` iterations")
    return x
def _brent_root(by_quotients):
    def method(f, a, b, fa, fb, xtol, rtol, maxiter):
        before, x, other = a, b, 0.0
        fbefore, fx, fother = fa, fb, 0.0
        last, step = 0.0, 0.0
        found, rounds = False, 0
        while not found and rounds < maxiter:
            if fbefore != 0.0 and fx != 0.0 and sign(fbefore) != sign(fx):
                other, fother = before, fbefore
                step = x - before
                last = step
            if abs(fother) < abs(fx):
                before, x, other = x, other, x
                fbefore, fx, fother = fx, fother, fx
            limit = (xtol + rtol * abs(x)) / 2.0
            half = (other - x) / 2.0
            found = fx == 0.0 or abs(half) < limit
            if not found:
                tried = inf
                if abs(last) > limit and abs(fx) < abs(fbefore):
                    if before == other:
                        tried = -fx * (x - before) / (fx - fbefore)
                    else:
                        p = (fbefore - fx) / (before - x)
                        q = (fother - fx) / (other - x)
                        if by_quotients:
                            tried = -fx * (fother * q - fbefore * p) / (q * p * (fother - fbefore))
                        else:
                            tried = -fx * (fother - fbefore) / (fother * p - fbefore * q)
                if 2.0 * abs(tried) < minimum(abs(last), 3.0 * abs(half) - limit):
                    last, step = step, tried
                else:
                    last, step = half, half
                before, fbefore = x, fx
                x = x + (step if abs(step) > limit else copysign(limit, half))
                fx = f(x)
                rounds = rounds + 1
        return _found_root(found, x)
    return method
def _halved_root(f, a, b, fa, fb, xtol, rtol, maxiter):
    width, x = b - a, a
    found, rounds = False, 0
    while not found and rounds < maxiter:
        width = 0.5 * width
        x = a + width
        fx = f(x)
        found = fx == 0.0 or abs(width) < xtol + rtol * abs(x)
        a = x if sign(fx) == sign(fa) else a
        rounds = rounds + 1
    return _found_root(found, x)
def _root_of_ridder(f, a, b, fa, fb, xtol, rtol, maxiter):
    limit = xtol + rtol * minimum(abs(a), abs(b))
    x = a
    found, rounds = False, 0
    while not found and rounds < maxiter:
        half = 0.5 * (b - a)
        middle = a + half
        fmiddle = f(middle)
        by = copysign(1.0, fb - fa) * half * fmiddle / sqrt(fmiddle * fmiddle - fa * fb)
        x = middle - copysign(1.0, by) * minimum(abs(by), abs(half) - 0.5 * limit)
        fx = f(x)
        if copysign(1.0, fx) != copysign(1.0, fmiddle):
            a, fa, b, fb = x, fx, middle, fmiddle
        elif copysign(1.0, fx) != copysign(1.0, fa):
            b, fb = x, fx
        else:
            a, fa = x, fx
        limit = xtol + rtol * x
        found = fx == 0.0 or abs(b - a) < limit
        rounds = rounds + 1
    return _found_root(found, x)

# Roots near a place: by secants, by tangents, or by parabolas (Halley). Of an array, each element for itself.
def optimize_newton(func, x0, fprime=None, args=(), tol=1.48e-08, maxiter=50, fprime2=None, x1=None, rtol=0.0, full_output=False, disp=True):
    begin = _doubles(x0)
    def solve(f, args):
        at = lambda x: applied(f, (x,) + args)
        if fprime is None:
            return _root_by_secants(at, begin, x1, tol, rtol, maxiter)
        slope = lambda x: _doubles(fprime(x, *args))
        curve = None if fprime2 is None else lambda x: _doubles(fprime2(x, *args))
        return _root_by_tangents(at, slope, curve, begin, tol, rtol, maxiter)
    f = lambda *x: with_shape(_doubles(func(*x)), shape_of(begin))
    return _with_results(_solved(solve, f, _arguments(args)), full_output, "newton")
def _root_by_secants(f, x0, x1, tol, rtol, maxiter):
    x = x0
    if x1 is None:
        y = x * (1.0 + 1e-4)
        y = y + select(y >= 0.0, 1e-4, -1e-4)
    else:
        y = _doubles(x1)
    fx, fy = f(x), f(y)
    swapped = abs(fy) < abs(fx)
    x, y = select(swapped, y, x), select(swapped, x, y)
    fx, fy = select(swapped, fy, fx), select(swapped, fx, fy)
    found, rounds = False, 0
    while not found and rounds < maxiter:
        level = fx == fy
        if any(logical_and(level, logical_and(fy != 0.0, abs(y - x) > tol + rtol * abs(y)))):
            raise RuntimeError("the function has the same value at two places, where a secant is needed")
        by_first = abs(fy) > abs(fx)
        ratio = select(level, 0.0, select(by_first, -fx / select(fy == 0.0, 1.0, fy), -fy / select(fx == 0.0, 1.0, fx)))
        new = select(by_first, ratio * y + x, ratio * x + y) / (1.0 + ratio)
        new = select(level, y, new)
        found = all(abs(new - y) <= tol + rtol * abs(y))
        x, fx = y, fy
        y = new
        fy = f(y)
        rounds = rounds + 1
    return _found_root(found, y)
def _root_by_tangents(f, slope, curve, x, tol, rtol, maxiter):
    found, rounds = False, 0
    while not found and rounds < maxiter:
        fx, s = f(x), slope(x)
        if any(logical_and(s == 0.0, fx != 0.0)):
            raise RuntimeError("the derivative is zero, so a tangent leads nowhere")
        step = select(fx == 0.0, 0.0, fx / select(fx == 0.0, 1.0, s))
        if curve is not None:
            turn = 0.5 * step * curve(x) / select(fx == 0.0, 1.0, s)
            step = step / select(abs(turn) < 1.0, 1.0 - turn, 1.0)
        new = x - step
        found = all(abs(step) <= tol + rtol * abs(x))
        x = new
        rounds = rounds + 1
    return _found_root(found, x)

def optimize_root_scalar(f, args=(), method=None, bracket=None, fprime=None, fprime2=None, x0=None, x1=None, xtol=None, rtol=None, maxiter=None, options=None):
    _only_none(options, "options")
    slope = None if isinstance(fprime, bool) else fprime
    value = _value_of_pair(f, fprime)
    if method is None:
        if bracket is not None:
            method = "brentq"
        elif x0 is not None:
            method = "newton" if slope is not None or _is_true(fprime) else "secant"
        else:
            return refuse("`root_scalar` needs a bracket, or a place to begin at")
    limit = 2e-12 if xtol is None else xtol
    near = 8.881784197001252e-16 if rtol is None else rtol
    if method == "brentq" or method == "brenth" or method == "bisect" or method == "ridder":
        if bracket is None:
            return refuse(("`", method, "` needs a bracket"))
        steps = 100 if maxiter is None else maxiter
        rule = _halved_root if method == "bisect" else _root_of_ridder if method == "ridder" else _brent_root(method == "brentq")
        return _bracketed(rule, value, bracket[0], bracket[1], args, limit, near, steps, True, True, method)[1]
    if method != "newton" and method != "halley" and method != "secant":
        return refuse(("`root_scalar` has no method ", method))
    if x0 is None:
        return refuse(("`", method, "` needs a place to begin at, `x0`"))
    # The derivative that nobody gives is taken.
    taken = lambda x, *args: pushed(lambda x: _doubles(value(x, *args)), None, (x,), (1.0,))[1]
    slope = None if method == "secant" else taken if slope is None else slope
    curve = fprime2 if method == "halley" else None
    root = optimize_newton(value, x0, slope, args, 1.48e-8 if xtol is None else xtol, 50 if maxiter is None else maxiter, curve, x1, 0.0 if rtol is None else rtol)
    return scipy_root(root, True, "converged", method)

def optimize_fixed_point(func, x0, args=(), xtol=1e-08, maxiter=500, method="del2"):
    begin = _doubles(x0)
    if method != "del2" and method != "iteration":
        return refuse(("`fixed_point` has no method ", method))
    def solve(f, args):
        step = lambda x: x + applied(f, (x,) + args)
        x, new = begin, begin
        found, rounds = False, 0
        while not found and rounds < maxiter:
            new = step(x)
            if method == "del2":
                newer = step(new)
                bend = newer - 2.0 * new + x
                new = select(bend == 0.0, newer, x - (new - x) * (new - x) / select(bend == 0.0, 1.0, bend))
            found = all(abs(select(x == 0.0, new, (new - x) / select(x == 0.0, 1.0, x))) < xtol)
            x = new
            rounds = rounds + 1
        if not found:
            raise RuntimeError("the fixed point is not found within `maxiter` iterations")
        return x
    rest = lambda x, *args: with_shape(_doubles(func(x, *args)), shape_of(begin)) - x
    return _solved(solve, rest, _arguments(args))

# Systems of equations, by the steps of Levenberg and Marquardt, and by Newton's once they are near.
def optimize_fsolve(func, x0, args=(), fprime=None, full_output=False):
    if constant(full_output, "`full_output`"):
        return refuse("`full_output` of `fsolve` is not supported; see `root`")
    return _root_of_system(func, x0, _arguments(args), "fsolve")
def optimize_root(fun, x0, args=(), method="hybr", jac=None, tol=None, callback=None, options=None):
    _only_none(callback, "callback")
    if method != "hybr" and method != "lm":
        return refuse(("`root` has no method ", method, "; there are `hybr` and `lm`, which are one"))
    f, args = _value_of_pair(fun, jac), _arguments(args)
    x = _root_of_system(f, x0, args, "root")
    return scipy_solution(x, _giving_vector(f)(x, *args), True, 1, "The solution converged.", method)
def _root_of_system(f, x0, args, name):
    begin = _vector(x0, name)
    f = _giving_vector(f)
    n = shape_of(f(begin, *args))[0]
    if n != len(begin):
        return refuse((n, " equations in ", len(begin), " unknowns"))
    def solve(f, args):
        at = lambda x: applied(f, (x,) + args)
        x = _improved(at, _least(at, begin), False)
        rest = at(x)
        step = max(abs(linalg_solve(_jacfwd(at, x, False), rest)))
        if not (max(abs(rest)) == 0.0 or step <= 1.5e-8 * maximum(max(abs(x)), max(abs(begin)))):
            raise RuntimeError("the equations are not solved: from here on the iteration makes no progress")
        return x
    return _solved(solve, f, args)
# Where the squares of r are least, from x on: Nielsen's way to change the part of steepest descent (1999).
def _least(r, x):
    y = r(x)
    cost = sum(y * y)
    damping, growth = 1e-3, 2.0
    rounds = 0
    while damping < 1e20 and cost > 0.0 and rounds < 1000:
        slopes = _jacfwd(r, x, False)
        descent = transpose(slopes) @ y
        matrix = transpose(slopes) @ slopes
        scale = diagonal(matrix)
        scale = select(scale > 0.0, scale, 1.0)
        step = -linalg_solve(matrix + damping * diag(scale), descent)
        new = x + step
        ynew = r(new)
        newcost = sum(ynew * ynew)
        if newcost < cost:
            gain = (cost - newcost) / sum(step * (damping * scale * step - descent))
            damping = maximum(1e-20, damping * maximum(1.0 / 3.0, 1.0 - (2.0 * gain - 1.0) ** 3))
            growth = 2.0
            # Less than rounding shows.
            near = max(abs(step)) <= 1e-16 * max(abs(x))
            x, y, cost = new, ynew, newcost
            damping = 1e20 if near else damping
        else:
            damping = damping * growth
            growth = 2.0 * growth
        rounds = rounds + 1
    if rounds >= 1000:
        raise RuntimeError("the squares are not the least after 1000 steps")
    return x
# Newton's steps to where f is zero, as long as they come nearer. Of a slope, they go down.
def _improved(f, x, is_slope):
    y = f(x)
    size = max(abs(y))
    rounds, better = 0, size > 0.0
    while better and rounds < 20:
        slopes = _jacfwd(f, x, False)
        step = y / slopes if ndim(x) == 0 else linalg_solve(slopes, y)
        new = x - step
        ynew = f(new)
        newsize = max(abs(ynew))
        better = newsize < size and (not is_slope or sum(step * y) > 0.0)
        if better:
            x, y, size = new, ynew, newsize
        rounds = rounds + 1
    return x

# Least squares: where the slope of their sum is zero.
def optimize_least_squares(fun, x0, jac="2-point", bounds=None, method="trf", ftol=1e-08, xtol=1e-08, gtol=1e-08, x_scale=None, loss="linear", f_scale=1.0, diff_step=None, tr_solver=None, tr_options=None, jac_sparsity=None, max_nfev=None, verbose=0, args=(), kwargs=None):
    if bounds is not None:
        return refuse("`bounds` of `least_squares` are not supported")
    if loss != "linear":
        return refuse(("the loss ", loss, " of `least_squares` is not supported"))
    named, args = {} if kwargs is None else kwargs, _arguments(args)
    r = _giving_vector(_with_named(fun, named))
    x = _squares_solved(r, _vector(x0, "least_squares"), args)
    rest, slopes = r(x, *args), _slopes(r, x, args)
    down = transpose(slopes) @ rest
    return scipy_squares(x, 0.5 * sum(rest * rest), rest, slopes, down, max(abs(down)), zeros(shape_of(x), "int64"), True, 1, "`gtol` termination condition is satisfied.")
def _squares_solved(r, begin, args):
    half = lambda x, *args: 0.5 * sum(_square_of_size(r(x, *args)))
    def solve(slope, args):
        at = lambda x: applied(slope, (x,) + args)
        return _improved(at, _least(lambda x: r(x, *args), begin), True)
    return _solved(solve, _slope_by_first(half), args)
# The slope of a function in its first argument, which is a number or a vector.
def _slope_by_first(f):
    return lambda x, *args: shown(pulled(lambda x: f(x, *args), (x,))[1](1.0)[1], x)
def optimize_leastsq(func, x0, args=(), Dfun=None, full_output=False):
    if constant(full_output, "`full_output`"):
        return refuse("`full_output` of `leastsq` is not supported; see `least_squares`")
    return _squares_solved(_giving_vector(func), _vector(x0, "leastsq"), _arguments(args)), 1
def optimize_curve_fit(f, xdata, ydata, p0=None, sigma=None, absolute_sigma=False, check_finite=True, bounds=None, method=None, jac=None, *, full_output=False, nan_policy=None, maxfev=None):
    if p0 is None:
        return refuse("`curve_fit` needs `p0`, the parameters to begin with, which also says how many there are")
    if bounds is not None or constant(full_output, "`full_output`"):
        return refuse("`bounds` and `full_output` of `curve_fit` are not supported")
    begin = _vector(p0, "curve_fit")
    n = len(begin)
    def r(p, x, y, sigma):
        rest = ravel(_doubles(f(x, *[p[i] for i in range(n)])) - y)
        if sigma is None:
            return rest
        return rest / sigma if ndim(sigma) < 2 else scipy_linalg_solve_triangular(linalg_cholesky(sigma), rest, lower=True)
    args = (xdata, _doubles(ydata), None if sigma is None else _doubles(sigma))
    p = _squares_solved(r, begin, args)
    rest, slopes = r(p, *args), _slopes(r, p, args)
    covariance = linalg_inv(transpose(slopes) @ slopes)
    if constant(absolute_sigma, "`absolute_sigma`"):
        return p, covariance
    return p, covariance * (sum(rest * rest) / (len(rest) - n) if len(rest) > n else inf)

# Minima. Methods that use slopes are one: steps of Broyden, Fletcher, Goldfarb and Shanno, and Newton's at the end.
def optimize_minimize(fun, x0, args=(), method=None, jac=None, hess=None, hessp=None, bounds=None, constraints=(), tol=None, callback=None, options=None):
    _only_none(callback, "callback")
    _only_none(bounds, "bounds")
    if len(constraints) > 0:
        return refuse("`constraints` are not supported; write the function of free variables, or `root` of the conditions of Lagrange")
    name = "BFGS" if method is None else method
    by_values = name == "Nelder-Mead" or name == "nelder-mead"
    if not by_values and name not in ("BFGS", "bfgs", "CG", "L-BFGS-B", "Newton-CG", "TNC", "SLSQP", "trust-exact", "trust-ncg", "trust-krylov", "dogleg"):
        return refuse(("`minimize` has no method ", name))
    f, args = _giving_number(_value_of_pair(fun, jac), "minimize"), _arguments(args)
    begin = _vector(x0, "minimize")
    most = _option(options, "maxiter", 200 * len(begin))
    gtol = _option(options, "gtol", 1e-5 if tol is None else tol)
    slope = _slope_by_first(f)
    def solve(slope, args):
        at = lambda x: f(x, *args)
        down = lambda x: applied(slope, (x,) + args)
        if by_values:
            limit = 1e-4 if tol is None else tol
            return _improved(down, _by_simplex(at, begin, _option(options, "xatol", limit), _option(options, "fatol", limit), most), True)
        x = _improved(down, _descended(at, down, begin, gtol, most), True)
        if not max(abs(down(x))) <= maximum(gtol, 0.0):
            raise RuntimeError("`minimize` has not found a point where the slope is zero")
        return x
    x = _solved(solve, slope, args)
    return scipy_minimum(x, f(x, *args), slope(x, *args), True, 0, "Optimization terminated successfully.")
def optimize_fmin(func, x0, args=(), xtol=1e-4, ftol=1e-4):
    return optimize_minimize(func, x0, args, "Nelder-Mead", options={"xatol": xtol, "fatol": ftol}).x
def optimize_fmin_bfgs(f, x0, fprime=None, args=(), gtol=1e-05):
    return optimize_minimize(f, x0, args, "BFGS", options={"gtol": gtol}).x
# Steps begin as SciPy's do, so that of several minima the same one is found.
def _descended(f, slope, x, gtol, most):
    n = len(x)
    y, g = f(x), slope(x)
    inverse = eye(n)
    before = y + 0.5 * sqrt(sum(g * g))
    rounds, stuck = 0, False
    while max(abs(g)) > gtol and not stuck and rounds < most:
        d = -(inverse @ g)
        along = sum(d * g)
        if not along < 0.0:
            inverse, d, along = eye(n), -g, -sum(g * g)
        length = 2.02 * (y - before) / along
        length = minimum(1.0, length) if length > 0.0 else 1.0
        low, high = 0.0, inf
        tries, done = 0, False
        xnew, ynew, gnew = x, y, g
        # Down far enough, and not so steep any more (Wolfe 1969).
        while not done and tries < 60:
            xnew = x + length * d
            ynew = f(xnew)
            if ynew <= y + 1e-4 * length * along:
                gnew = slope(xnew)
                done = sum(gnew * d) >= 0.9 * along
                low = length
            else:
                high = length
            if not done:
                length = 2.0 * length if high == inf else 0.5 * (low + high)
            tries = tries + 1
        stuck = not done
        if done:
            s, q = xnew - x, gnew - g
            both = sum(s * q)
            if both > 0.0:
                turned = eye(n) - outer(s, q) / both
                inverse = turned @ inverse @ transpose(turned) + outer(s, s) / both
            before = y
            x, y, g = xnew, ynew, gnew
        rounds = rounds + 1
    return x
# Nelder and Mead 1965.
def _by_simplex(f, x, xatol, fatol, most):
    n = len(x)
    points = zeros((n + 1, n))
    values = zeros(n + 1)
    points[0] = x
    for i in range(n):
        points[i + 1] = select(iota((n, 0)) == i, select(x == 0.0, 0.00025, 1.05 * x), x)
    for i in range(n + 1):
        values[i] = f(points[i])
    points, values = _best_first(points, values)
    rounds, found = 0, False
    while not found and rounds < most:
        middle = sum(points[:n], 0) / n
        worst = points[n]
        new = 2.0 * middle - worst
        value = f(new)
        shrunk = False
        if value < values[0]:
            far = 3.0 * middle - 2.0 * worst
            fvalue = f(far)
            if fvalue < value:
                new, value = far, fvalue
        elif value >= values[n - 1]:
            outside = value < values[n]
            near = 1.5 * middle - 0.5 * worst if outside else 0.5 * middle + 0.5 * worst
            nvalue = f(near)
            shrunk = not (nvalue <= value if outside else nvalue < values[n])
            new, value = near, nvalue
        if shrunk:
            for i in range(n):
                points[i + 1] = points[0] + 0.5 * (points[i + 1] - points[0])
                values[i + 1] = f(points[i + 1])
        else:
            points[n] = new
            values[n] = value
        points, values = _best_first(points, values)
        rounds = rounds + 1
        found = max(abs(points[1:] - points[0])) <= xatol and max(abs(values[1:] - values[0])) <= fatol
    if not found:
        raise RuntimeError("`minimize` has not come to the minimum within `maxiter` iterations")
    return points[0]
def _best_first(points, values):
    order = argsort(values)
    return points[order], values[order]

def optimize_minimize_scalar(fun, bracket=None, bounds=None, args=(), method=None, tol=None, options=None):
    f, args = _giving_number(fun, "minimize_scalar"), _arguments(args)
    name = ("brent" if bounds is None else "bounded") if method is None else method
    if name == "bounded" or name == "Bounded":
        if bounds is None:
            return refuse("the method `bounded` needs `bounds`")
        x = _least_within(f, bounds[0], bounds[1], args, _option(options, "xatol", 1e-5 if tol is None else tol), _option(options, "maxiter", 500))
        return scipy_minimum_of_number(x, f(x, *args), True, "Solution found.")
    if name != "brent" and name != "Brent" and name != "golden" and name != "Golden":
        return refuse(("`minimize_scalar` has no method ", name))
    if bounds is not None:
        return refuse(("the method ", name, " has no `bounds`"))
    limit = _option(options, "xtol", 1.48e-8 if tol is None else tol)
    x = _least_of_number(f, bracket, args, limit, _option(options, "maxiter", 500))
    return scipy_minimum_of_number(x, f(x, *args), True, "Optimization terminated successfully.")
def optimize_brent(func, args=(), brack=None, tol=1.48e-08, full_output=0, maxiter=500):
    if constant(full_output, "`full_output`"):
        return refuse("`full_output` of `brent` is not supported; see `minimize_scalar`")
    return _least_of_number(_giving_number(func, "brent"), brack, _arguments(args), tol, maxiter)
def optimize_fminbound(func, x1, x2, args=(), xtol=1e-05, maxfun=500):
    return _least_within(_giving_number(func, "fminbound"), x1, x2, _arguments(args), xtol, maxfun)
def _least_of_number(f, bracket, args, limit, most):
    def solve(slope, args):
        at = lambda x: f(x, *args)
        low, middle, high = _three_around(at, bracket)
        x = _brent_minimum(at, minimum(low, high), maximum(low, high), middle, limit, 1e-11, most)
        return _improved(lambda x: applied(slope, (x,) + args), x, True)
    return _solved(solve, _slope_by_first(f), args)
# A minimum at a bound is the bound, and moves with it alone.
def _least_within(f, low, high, args, limit, most):
    low, high = _one_number(low, "bounded"), _one_number(high, "bounded")
    slope = _slope_by_first(f)
    def inside(args):
        if low > high:
            raise ValueError("the lower bound is above the upper bound")
        return _brent_minimum(lambda x: f(x, *args), low, high, low + 0.3819660112501051 * (high - low), 1.48e-8, limit / 3.0, most)
    near = inside(stopped(args))
    at_low = slope(low, *args) >= 0.0 and near - low <= 2.0 * limit
    at_high = slope(high, *args) <= 0.0 and high - near <= 2.0 * limit
    if at_low or at_high:
        return low if at_low else high
    def solve(slope, args):
        found = inside(args)
        x = _improved(lambda x: applied(slope, (x,) + args), found, True)
        return x if low <= x and x <= high else found
    return _solved(solve, slope, args)
# Three places of which the second is the lowest; what is given, two places or three, is where the search begins (Press et al. 1992).
def _three_around(f, bracket):
    a, b = (0.0, 1.0) if bracket is None else (1.0 * bracket[0], 1.0 * bracket[1])
    fa, fb = f(a), f(b)
    if bracket is not None:
        if len(bracket) == 3:
            c = 1.0 * bracket[2]
            if not (fb < fa and fb < f(c) and (a < b and b < c or c < b and b < a)):
                raise ValueError("of the three places of the bracket the second is not between the others, or not the lowest")
            return a, b, c
    if fa < fb:
        a, b, fa, fb = b, a, fb, fa
    c = b + 1.618034 * (b - a)
    fc = f(c)
    rounds, done = 0, False
    while not done and fc < fb and rounds < 1000:
        p, q = (b - a) * (fb - fc), (b - c) * (fb - fa)
        bend = q - p
        x = b - ((b - c) * q - (b - a) * p) / (2.0 * (1e-21 if abs(bend) < 1e-21 else bend))
        farthest = b + 110.0 * (c - b)
        further = c + 1.618034 * (c - b)
        if (x - c) * (b - x) > 0.0:
            fx = f(x)
            if fx < fc:
                a, b, fa, fb = b, x, fb, fx
                done = True
            elif fx > fb:
                c, fc = x, fx
                done = True
            else:
                x = further
                fx = f(x)
        elif (x - farthest) * (farthest - c) >= 0.0:
            x = farthest
            fx = f(x)
        elif (x - farthest) * (c - x) > 0.0:
            fx = f(x)
            if fx < fc:
                b, c, fb, fc = c, x, fc, fx
                x = c + 1.618034 * (c - b)
                fx = f(x)
        else:
            x = further
            fx = f(x)
        if not done:
            a, b, c, fa, fb, fc = b, c, x, fb, fc, fx
        rounds = rounds + 1
    if not ((fb < fc and fb <= fa or fb < fa and fb <= fc) and abs(a) < inf and abs(c) < inf):
        raise ValueError("no three places are found of which the second is the lowest")
    return a, b, c
# Brent 1973.
def _brent_minimum(f, a, b, x, relative, absolute, most):
    second, third = x, x
    fx = f(x)
    fsecond, fthird = fx, fx
    last, step = 0.0, 0.0
    rounds, found = 0, False
    while not found and rounds < most:
        limit = relative * abs(x) + absolute
        middle = 0.5 * (a + b)
        found = abs(x - middle) < 2.0 * limit - 0.5 * (b - a)
        if not found:
            by_parabola = False
            if abs(last) > limit:
                r, q = (x - second) * (fx - fthird), (x - third) * (fx - fsecond)
                p = (x - third) * q - (x - second) * r
                q = 2.0 * (q - r)
                p = -p if q > 0.0 else p
                q = abs(q)
                by_parabola = p > q * (a - x) and p < q * (b - x) and abs(p) < abs(0.5 * q * last)
                if by_parabola:
                    last, step = step, p / q
                    new = x + step
                    if new - a < 2.0 * limit or b - new < 2.0 * limit:
                        step = limit if middle >= x else -limit
            if not by_parabola:
                last = a - x if x >= middle else b - x
                step = 0.381966 * last
            new = x + (step if abs(step) >= limit else limit if step >= 0.0 else -limit)
            fnew = f(new)
            if fnew > fx:
                if new < x:
                    a = new
                else:
                    b = new
                if fnew <= fsecond or second == x:
                    third, fthird, second, fsecond = second, fsecond, new, fnew
                elif fnew <= fthird or third == x or third == second:
                    third, fthird = new, fnew
            else:
                if new >= x:
                    a = x
                else:
                    b = x
                third, fthird, second, fsecond, x, fx = second, fsecond, x, fx, new, fnew
            rounds = rounds + 1
    if not found:
        raise RuntimeError("the minimum is not found within `maxiter` iterations")
    return x

# A quotient of differences, as in SciPy: its derivative is that of the quotient.
def optimize_approx_fprime(xk, f, epsilon=1.4901161193847656e-08, *args):
    x = _vector(xk, "approx_fprime")
    at = lambda x: _doubles(f(x, *args))
    y = at(x)
    columns = zeros((len(x),) + shape_of(y))
    steps = broadcast_to(epsilon, (len(x),))
    for i in range(len(x)):
        new = select(iota((len(x), 0)) == i, x + steps, x)
        columns[i] = (at(new) - y) / (new[i] - x[i])
    return moveaxis(columns, 0, -1)
def optimize_rosen(x):
    x = _doubles(x)
    return sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1.0 - x[:-1]) ** 2.0, 0)
def optimize_rosen_der(x):
    return _slope_by_first(optimize_rosen)(_doubles(x))
