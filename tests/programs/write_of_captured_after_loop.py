# entry: f
# args: 0.7
# order: 2
# note: what a nested function writes is a variable that a loop before it did not change; a default that is a choice
import math


def f(x):
    for _ in range(3):
        pass

    def g(a):
        q = [x, a]
        q[0] = x * q[1]
        return math.cos(q[0])

    def h(a, b=(g(x) if x < 1.0 else x)):
        return a * x + b

    return h(x) + g(2.0)
