# entry: f
# args: 0.5
# args: -1.5
# note: functions with different numbers of defaults in one Box
from gradus import Box


def f(x):
    b = Box(lambda t: t)
    first = b.get()(x)
    b.set(lambda t, k=x: t * k)
    second = b.get()(3.0)
    b.set(lambda t, k=x, l=2.0: t * k + l * x)
    return first * second + b.get()(second)
