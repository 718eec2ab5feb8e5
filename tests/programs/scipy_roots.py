# entry: f
# args: 2.0, 0.5
# args: 5.0, 0.25
# note: roots by brackets, secants and tangents: by the implicit function theorem, of what is captured and of `args`

import math

from scipy.optimize import bisect, brenth, brentq, fixed_point, newton, ridder, root_scalar


def f(a, b):
    g = lambda x: x * x * x + b * x - a
    h = lambda x, p, q: math.exp(p * x) - q
    roots = brentq(g, 0, 10) * brenth(g, 0.0, 10.0) + ridder(h, -8.0, 8.0, args=(0.5, a))
    halves = bisect(lambda x: math.cos(x) - b * x, 0.0, 2.0, xtol=1e-15)
    near = newton(g, 1.0) + newton(h, 0.5, fprime=lambda x, p, q: p * math.exp(p * x), args=(1.0, a))
    fixed = fixed_point(lambda x, q: 0.5 * (x + q / x), 1.5, args=(a,))
    found = root_scalar(h, args=(0.25, a), bracket=[-9.0, 9.0])
    return roots * halves + near * fixed + found.root
