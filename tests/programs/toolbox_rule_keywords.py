# entry: f
# args: 0.7, 1.3
# note: functions with rules take names and defaults of arguments, which rules are given by their places

import math

from gradus import custom_jvp, custom_vjp


@custom_vjp(lambda y, x, c, n: lambda g: (g * c * n, g * x * n, None))
def scaled(x, c=2.0, n=3):
    return x * c * n


@custom_jvp(lambda args, tangents: (args[0] * args[1], tangents[0] * args[1] + args[0] * tangents[1]))
def product(a, b=0.5):
    return a * b


def f(x, c):
    def shifted(y, by=1.0):
        return math.sin(y) + by

    nested = custom_vjp(lambda y, x, by: lambda g: (g * math.cos(x), g))(shifted)
    first = scaled(x) + scaled(x, c=c) + scaled(n=2, x=c) + scaled(x, x)
    return first * product(x) + product(b=x, a=c) + nested(x) + nested(by=c, y=x)
