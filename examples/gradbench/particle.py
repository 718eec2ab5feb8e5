# A charged particle flies by two fixed charges, one of them at a height that w decides, until it falls through the line y = 0.
# Gives the w for which it falls through the origin, by gradient descent. The force is the gradient of a potential, so derivatives
# are nested: the first letter of a function is the mode of those of the descent, reverse or forward, the second that of the
# force.

import math
from gradus import grad, jvp


def distance(x, y, charge):
    return math.sqrt((x - charge[0]) ** 2 + (y - charge[1]) ** 2)


def potential(x, y, w):
    return 1.0 / distance(x, y, (10.0, 10.0 - w)) + 1.0 / distance(x, y, (10.0, 0.0))


def reverse_force(x, y, w):
    dx, dy = grad(potential, (0, 1))(x, y, w)
    return -dx, -dy


def forward_force(x, y, w):
    _, dx = jvp(lambda x: potential(x, y, w), (x,), (1.0,))
    _, dy = jvp(lambda y: potential(x, y, w), (y,), (1.0,))
    return -dx, -dy


def miss(w, force):
    step = 0.1
    x, y = 0.0, 8.0
    vx, vy = 0.75, 0.0
    while y + step * vy > 0.0:
        fx, fy = force(x, y, w)
        x, y = x + step * vx, y + step * vy
        vx, vy = vx + step * fx, vy + step * fy
    return (x - y / vy * vx) ** 2


def argmin(f, slope, x):
    value, derivative = f(x), slope(x)
    rate, successes = 1e-5, 0
    while abs(derivative) > 1e-5:
        if successes == 10:
            rate, successes = 2.0 * rate, 0
        new = x - rate * derivative
        if abs(new - x) <= 1e-5:
            return x
        new_value = f(new)
        if new_value < value:
            x, value, derivative = new, new_value, slope(new)
            successes += 1
        else:
            rate, successes = rate / 2.0, 0
    return x


def by_reverse(force, w):
    f = lambda w: miss(w, force)
    return argmin(f, grad(f), w)


def by_forward(force, w):
    f = lambda w: miss(w, force)
    return argmin(f, lambda w: jvp(f, (w,), (1.0,))[1], w)


def rr(w):
    return by_reverse(reverse_force, w)


def rf(w):
    return by_reverse(forward_force, w)


def fr(w):
    return by_forward(reverse_force, w)


def ff(w):
    return by_forward(forward_force, w)
