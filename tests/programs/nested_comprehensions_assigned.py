# entry: f
# args: [[1.0, 2.0], [3.0, 4.0]]
# note: variables that comprehensions in comprehensions read, and that are assigned what these make
import numpy as np


def symmetric(a):
    a = [[a[i][j] + a[j][i] for j in range(2)] for i in range(2)]
    a[0][0] *= 1.5
    return a[0][1] * a[0][0] + a[1][1]


def total(x):
    x = sum(sum(x[i][j] for j in range(2)) for i in range(2))
    return x * x


def columns(x):
    p = {"a": x[0], "b": x[1]}
    p = {k: [p[k][i] * (i + 1) for i in range(2)] for k in p}
    return p["a"][1] * p["b"][0]


def again_and_again(x):
    y = [v for v in x[0]]
    for _ in range(3):
        y = [sum(y[j] * y[j] for j in range(2)) * 0.1 for i in range(2)]
        y[0] += 1.0
    return y[0]


def written(x):
    x = np.array([[x[i][j] for j in range(2)] for i in range(2)])
    x[0] *= 3.0
    return (x * x).sum()


def functions(x):
    k = 2.0
    fs = [[lambda t, i=i, j=j: x[i][j] * t for j in range(2)] for i in range(2)]
    k = sum(fs[i][1](k) for i in range(2)) + sum(g(k) for row in fs for g in row)
    return k


def f(x):
    rows = [[x[0][0], x[0][1]], [x[1][0], x[1][1]]]
    return symmetric(rows) + total(x) + columns(x) + again_and_again(x) + written(x) + functions(x)
