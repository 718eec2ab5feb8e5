# entry: f
# args: 1.5
# args: -0.7
# order: 2
# note: functions that are made in `finally`, to which several ways lead
import math


def doubled(x):
    try:
        a = math.cos(x)
    except ValueError:
        pass
    finally:
        g = lambda c: c * 2 + x
        h = g(x)
    return h * g(a)


def halved(x, n):
    s = x
    for i in range(n):
        try:
            if i == 1:
                continue
            s = s * 10 // (2 - i) if i > 1 else s + x
        except ZeroDivisionError:
            s = s + 1.0
        finally:

            def add(v, by=0.5):
                return v + by * x

            s = add(s)
    return add(s, 2.0)


def f(x):
    return doubled(x) * halved(x, 3)
