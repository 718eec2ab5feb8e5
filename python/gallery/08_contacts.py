"""Differentiates through events: a ball that bounces, and particles that collide.

How often a loop runs depends on the values, as does what happens in a turn. The derivative is that of the way that was
taken. Where the time of an event is computed, not rounded to a step, it is the exact one.
"""

import math

import gradus
import numpy as np

GRAVITY = 9.81


def height(start, kept, time):
    """Of a ball at a time; each bounce keeps a part of its speed."""
    position, speed, left = start, 0.0, time
    fall = (speed + math.sqrt(speed**2 + 2.0 * GRAVITY * position)) / GRAVITY
    while fall < left:
        left -= fall
        speed = kept * (GRAVITY * fall - speed)
        position = 0.0
        fall = 2.0 * speed / GRAVITY
    return position + speed * left - 0.5 * GRAVITY * left**2


def exact(start, kept, time):
    """Height after one bounce, in closed form."""
    fall = math.sqrt(2.0 * start / GRAVITY)
    left = time - fall
    return kept * GRAVITY * fall * left - 0.5 * GRAVITY * left**2


def collide(x, v, mass, time):
    """Particles on a line: the next collision is looked for, moved to, and resolved, until the time is over."""
    n = len(x)
    x, v = x.copy(), v.copy()
    while True:
        first, pair = time, -1
        for i in range(n - 1):
            if v[i] > v[i + 1]:
                until = (x[i + 1] - x[i]) / (v[i] - v[i + 1])
                if until < first:
                    first, pair = until, i
        x = x + first * v
        time -= first
        if pair < 0:
            return x, v
        i, j = pair, pair + 1
        a, b, total = v[i], v[j], mass[i] + mass[j]
        v[i] = (a * (mass[i] - mass[j]) + 2.0 * mass[j] * b) / total
        v[j] = (b * (mass[j] - mass[i]) + 2.0 * mass[i] * a) / total


def main():
    slopes = gradus.grad(height, argnums=(0, 1))
    expected = gradus.grad(exact, argnums=(0, 1))(1.0, 0.8, 1.0)
    print("slopes of the height after one bounce:", [round(s, 6) for s in slopes(1.0, 0.8, 1.0)])
    assert np.allclose(slopes(1.0, 0.8, 1.0), expected)
    # After five bounces, by differences.
    h = 1e-7
    by_start = (height(1.0 + h, 0.8, 3.0) - height(1.0 - h, 0.8, 3.0)) / (2 * h)
    assert math.isclose(slopes(1.0, 0.8, 3.0)[0], by_start, rel_tol=1e-5)

    x, v, mass = np.array([0.0, 1.0, 2.5, 4.0]), np.array([2.0, 0.0, -1.0, -1.5]), np.array([1.0, 2.0, 0.5, 1.0])
    end, speeds = gradus.jit(collide)(x, v, mass, 5.0)
    print("particles end at", end.round(4), "with", speeds.round(4))
    assert np.isclose(mass @ speeds, mass @ v) and np.isclose(mass @ speeds**2, mass @ v**2)
    # However they collide, the centre of mass moves straight: its derivative in the speeds is mass times time.
    centre = gradus.grad(lambda v: mass @ collide(x, v, mass, 5.0)[0])(v)
    assert np.allclose(centre, 5.0 * mass)
    # The map of states keeps volumes in phase space.
    together = gradus.jacfwd(lambda s: np.concatenate(collide(s[:4], s[4:], mass, 5.0)))(np.concatenate([x, v]))
    assert np.isclose(abs(np.linalg.det(together)), 1.0)


if __name__ == "__main__":
    main()
