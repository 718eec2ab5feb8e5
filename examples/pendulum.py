# A pendulum, stepped by the leapfrog method; the force is the negative gradient of the potential, taken inside of the program.
# How does the angle at the end depend on the angle and speed at the start, and on the length?
#
#   $ gradus grad examples/pendulum.py swing 1.0 0.0 2.0 100
#   value     -0.5381257291075219
#   gradient  (-1.023289598471768, -0.42824855259670985, -0.8838225411355226, None)

import math
from gradus import grad

GRAVITY = 9.81


def swing(angle, speed, length, steps):
    potential = lambda a: -GRAVITY / length * math.cos(a)
    force = lambda a: -grad(potential)(a)
    dt = 0.02
    for _ in range(steps):
        speed += 0.5 * dt * force(angle)
        angle += dt * speed
        speed += 0.5 * dt * force(angle)
    return angle
