# entry: f
# args: 1.5, 4
# args: 0.5, 1
# note: the cotangent of a list of closures whose length only the run knows
from gradus import grad


def run(fs):
    y = 1.0
    for one in fs:
        y = one(y)
    return y


def f(x, n):
    fs = []
    for i in range(n):
        k = x + i
        fs.append(lambda y, k=k: y * k + x)
    total = run(fs)
    for one in grad(run)(fs):
        total = total + one.k * one.x
    return total
