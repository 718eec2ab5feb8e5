# entry: f
# args: 1.0, 0.5
# note: the right-hand side is a function argument


def rk4(rhs, t, y, h):
    k1 = rhs(t, y)
    k2 = rhs(t + h / 2, y + h / 2 * k1)
    k3 = rhs(t + h / 2, y + h / 2 * k2)
    k4 = rhs(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def f(y, rate):
    t = 0.0
    for _ in range(20):
        y = rk4(lambda s, u: -rate * u + s * s, t, y, 0.1)
        t += 0.1
    return y
