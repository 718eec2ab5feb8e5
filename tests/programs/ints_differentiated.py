# entry: f
# args: 2.0
# args: -0.5
# order: 2
# note: ints in which a derivative is asked for are floats for the function; other ints stay what they are

from functools import partial

from gradus import grad, value_and_grad


def power(x, n):
    r = 1
    for i in range(n):
        r = r * x
    return r


def scaled(x, y=1, *, n=2):
    return x * x * y * n


def f(x):
    alone = grad(lambda n: n * n * x)(3)
    count = grad(power)(2, 3)
    pair = (3, 4)
    a, b = grad(lambda m, n, y: m * m * n * y, argnums=(0, 1))(*pair, x)
    value, slope = value_and_grad(lambda n: n * n * n * x * x)(2)
    twice = grad(lambda n: grad(lambda m: m * m * m * x)(n))(2)
    named = grad(scaled, "n")(x, n=3) + partial(grad, argnums=1)(scaled)(x, 5)
    k = 3 if x > 0.0 else 2
    at_run_time = grad(lambda n: n * n * x)(k)
    parts = grad(lambda t: t[0] * t[1] * x)((2, 3.0))
    return alone + count * x + a - b * x + value * slope + twice + named + at_run_time + parts[1]
