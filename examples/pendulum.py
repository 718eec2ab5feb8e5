# A pendulum, stepped by the leapfrog method; the force is the negative gradient of the potential, taken inside of the program.
# How does the angle at the end depend on the angle and speed at the start, and on the length?
#
#   $ gradus grad examples/pendulum.py swing 1.0 0.0 2.0 100
#
# gives -0.538125729107522 and -1.023289598471767, -0.4282485525967097, -0.883822541135522.

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
