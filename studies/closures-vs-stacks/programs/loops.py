"""One loop."""
import math


def power(x, n):
    r = 1.0
    for i in range(n):
        r = r * x
    return r


def countdown(x, n):
    r = 1.0
    while n > 0:
        n = n - 1
        r = r * x
    return r


def horner(x, n):
    r = 0.0
    for i in range(n):
        r = r * x + 1.0 / (i + 1)
    return r


def exponential(x, n):
    term = 1.0
    total = 1.0
    for i in range(n):
        term = term * x / (i + 1)
        total = total + term
    return total


def newton(x, n):
    r = 1.0
    for i in range(n):
        r = 0.5 * (r + x / r)
    return r


def converge(x, tolerance):
    r = 1.0
    while abs(r * r - x) > tolerance:
        r = 0.5 * (r + x / r)
    return r


def logistic(x, n):
    for i in range(n):
        x = 3.2 * x * (1.0 - x)
    return x


def sines(x, n):
    for i in range(n):
        x = math.sin(x) + 0.1 * math.cos(x)
    return x


def pendulum(x, n):
    angle = x
    speed = 0.0
    for i in range(n):
        speed = speed - 0.01 * math.sin(angle)
        angle = angle + 0.01 * speed
    return angle


def lorenz(x, n):
    y = 1.2
    z = 0.9
    for i in range(n):
        dx = 10.0 * (y - x)
        dy = x * (28.0 - z) - y
        dz = x * y - 2.5 * z
        x = x + 0.002 * dx
        y = y + 0.002 * dy
        z = z + 0.002 * dz
    return x + y + z


def leaky(x, n):
    y = x
    for i in range(n):
        if y > 1.0:
            y = 0.5 * y
        else:
            y = y * y + x
    return y


def clipped(x, n):
    total = 0.0
    for i in range(n):
        y = math.sin(x * i)
        if y < 0.0:
            continue
        total = total + y * y
        if total > 1000.0:
            break
    return total


def harmonic(x, n):
    total = 0.0
    for i in range(n):
        total = total + 1.0 / (x + i)
    return total


def oscillator(x, n):
    a = (x, 0.0)
    for i in range(n):
        a = (a[0] * 0.99 - a[1] * 0.01, a[1] * 0.99 + a[0] * 0.01)
    return a[0] * a[0] + a[1]


def fraction(x, n):
    r = x
    for i in range(n):
        r = x + 1.0 / (1.0 + r)
    return r


def discount(x, n):
    value = 0.0
    rate = x
    for i in range(n):
        rate = rate + 0.01 * (0.05 - rate)
        value = (value + 1.0) / (1.0 + rate)
    return value


def filtered(x, n):
    mean = 0.0
    variance = 1.0
    for i in range(n):
        gain = variance / (variance + x)
        mean = mean + gain * (math.sin(0.1 * i) - mean)
        variance = (1.0 - gain) * variance + 0.01
    return mean + variance
