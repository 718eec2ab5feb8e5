# entry: f
# args: 0.7
# note: the derivatives of several orders from one series: elementary functions, quotients, a loop, a recursion, a branch that captures a float
import math

from gradus import taylor


def elementary(x):
    return math.exp(math.sin(x)) / (1.0 + x * x) + math.tanh(x) * math.log(2.0 + x) - math.sqrt(1.0 + x) ** 3.0


def loop(x):
    s = 0.0
    for k in range(4):
        s = s * x + math.atan(x * k)
    return s


def recursion(x, n):
    return x if n == 0 else math.cos(recursion(x * 0.5, n - 1)) * x


def f(x):
    scale = x * 2.0

    def branch(y):
        return y * y * scale if y > 0.5 else math.erf(y) * scale

    total = 0.0
    for k, d in enumerate(taylor(elementary, x, 3)):
        total += d * (k + 1)
    for d in taylor(loop, x, 2) + taylor(lambda y: recursion(y, 3), x, 2) + taylor(branch, x, 2) + taylor(branch, x - 0.5, 2):
        total += d
    return total
