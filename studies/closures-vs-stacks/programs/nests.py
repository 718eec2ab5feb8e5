"""Loops inside of loops."""
import math


def grid(x, n):
    total = 0.0
    for i in range(n):
        for j in range(n):
            total = total + math.sin(x * i) * math.cos(x * j)
    return total


def triangle(x, n):
    total = 0.0
    for i in range(n):
        r = 1.0
        for j in range(i):
            r = r * x
        total = total + r
    return total


def cube(x, n):
    total = x
    for i in range(n):
        for j in range(n):
            for k in range(n):
                total = total * 0.999 + x * x * 0.001
    return total


def settle(x, n):
    y = x
    for i in range(n):
        r = 1.0
        while abs(r * r - y) > 1e-9:
            r = 0.5 * (r + y / r)
        y = r + x
    return y


def trapezes(x, n):
    def f(t):
        r = 1.0
        for k in range(8):
            r = r * 0.5 * t + 1.0
        return r

    total = 0.0
    for i in range(n):
        total = total + 0.5 * (f(x * i / n) + f(x * (i + 1) / n)) / n
    return total


def sequence(x, n):
    y = x
    for i in range(n):
        for j in range(4):
            y = y * 0.9 + 0.1 * x
        for j in range(4):
            y = math.sin(y) + x
    return y


def chosen(x, n):
    y = x
    for i in range(n):
        if i % 2 == 0:
            for j in range(5):
                y = y * 0.8 + x
        else:
            y = 1.0 / (1.0 + y * y)
    return y


def two(x, n):
    r = x
    for i in range(n):
        r = r * x
    for i in range(n):
        r = r * x
    return r
