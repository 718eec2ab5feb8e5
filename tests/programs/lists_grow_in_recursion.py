# entry: f
# args: 1.5, 3
# args: -0.5, 6
# note: lists and tuples that a recursion hands on, longer with each call
import numpy as np


def powers(x, n, found):
    if n == 0:
        return found
    return powers(x, n - 1, found + [x**n])


def by_turns(x, n, even, odd):
    """Mutual recursion, two lists by turns."""
    if n == 0:
        return sum(even) - 2.0 * sum(odd)
    return other_turn(x, n - 1, even, odd + [x * n])


def other_turn(x, n, even, odd):
    if n == 0:
        return sum(even) - sum(odd)
    return by_turns(x, n - 1, [x * x] + even, odd)


def with_a_state(state, n):
    x, seen = state
    if n == 0:
        return seen
    return with_a_state((x * 0.9, (*seen, x)), n - 1)


def closures(x, n, fs):
    if n == 0:
        for f in fs:
            x = f(x)
        return x
    return closures(x, n - 1, fs + [lambda y: y * 0.5 + x * n])


def simpson(f, a, b):
    return (b - a) / 6.0 * (f(a) + 4.0 * f((a + b) / 2.0) + f(b))


def adaptive(f, a, b, places):
    """Adaptive quadrature, with the places where it halved an interval."""
    m = (a + b) / 2.0
    halves = simpson(f, a, m) + simpson(f, m, b)
    if abs(halves - simpson(f, a, b)) < 1e-2:
        return halves, places
    left, places = adaptive(f, a, m, places + [m])
    right, places = adaptive(f, m, b, places)
    return left + right, places


def of_known_length(x, xs):
    if len(xs) == 4:
        return np.array(xs).prod()
    return of_known_length(x, xs + [x + len(xs)])


def f(x, n):
    area, places = adaptive(lambda t: np.exp(x * t) * t**2, -2.0, 3.0 + n, [])
    total = area + sum(places) + len(places)
    for i, p in enumerate(powers(x, n, [])):
        total += (i + 1) * p
    total += by_turns(x, n, [], []) + sum(with_a_state((x, ()), n)) + closures(x, n, [])
    return total + of_known_length(x, [])
