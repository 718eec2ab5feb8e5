"""Programs without loops: nothing need be kept."""
import math


def polynomial(x):
    return ((2.0 * x - 3.0) * x + 0.5) * x + 1.0


def gaussian(x):
    return math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)


def branches(x):
    if x > 1.0:
        y = math.log(x)
    elif x > 0.5:
        y = x * x
    else:
        y = math.sin(x)
    return y * y + x


def sigmoids(x):
    a = 1.0 / (1.0 + math.exp(-x))
    b = 1.0 / (1.0 + math.exp(-a * 3.0))
    return 1.0 / (1.0 + math.exp(-b + a))


def rotation(x):
    c, s = math.cos(x), math.sin(x)
    u, v = c * 0.3 - s * 0.4, s * 0.3 + c * 0.4
    return math.sqrt((u - 1.0) ** 2 + (v - 2.0) ** 2)
