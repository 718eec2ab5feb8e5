# entry: f
# args: [0.5, 1.5, -0.5, 2.0, 1.0, 0.25, -1.0, 0.75, 1.25, 0.1]
# args: [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 0.5]
# note: counters that follow from the number of a record: from a start, by steps up and down, in loops that end early or skip, one after the other

import math


def forward(x):
    s = 1.0
    for i in range(len(x)):
        if s > 40.0:
            break
        s += x[i] * s * 0.25
    return s


def backward(x):
    s = 0.0
    for i in range(len(x) - 1, 1, -1):
        s += math.sin(x[i] * s) + x[i] * i
    return s


def by_steps(x, start, step):
    s = 0.5
    for i in range(start, len(x), step):
        s += x[i] * x[i - start] * s / (1 + i)
    return s


def negative(x):
    s = 1.0
    for i in range(-len(x), -1, 3):
        s += x[i] * s * i * 0.1
    return s


def skipping(x):
    i, s = 0, 0.25
    while i < len(x):
        if x[i] > 0.3:
            s += x[i] * s * i
        i += 1
    return s


def within(x):
    s = 0.1
    for i in range(3):
        for j in range(i, len(x), 4):
            s += x[j] * s * 0.2 + x[i]
    return s


def f(x):
    return forward(x) + backward(x) + by_steps(x, 1, 2) + by_steps(x, 2, 3) + negative(x) + math.log(skipping(x)) + within(x)
