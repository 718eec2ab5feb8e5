# entry: f
# args: 0.7
# args: -1.25
# note: arrays of lists that grow in loops too long to be unrolled: the lengths follow from counting

import numpy as np


def trajectory(x, n):
    y = np.array([x, 1.0])
    ys = [y]
    for _ in range(n):
        y = y + 0.01 * np.array([y[1], -y[0]])
        ys.append(y)
    return np.array(ys)


def total(xs):
    return np.sum(np.array(xs) ** 2)


def both_arms(x, n):
    xs = []
    for i in range(n):
        if i % 3 == 0:
            xs.append(x * i)
            continue
        xs.append(x + i)
        xs[-1] = xs[-1] * 0.5
    return xs


def counted_down(x, n):
    xs, t = [x], n
    while t >= 0:
        xs.append(x * t)
        xs += [x, t * x]
        t -= 7
    return xs


def table(x, n):
    rows = []
    for i in range(n):
        row = []
        for j in range(300):
            row.append(x * i + j)
        rows.append(row)
    return rows


def f(x):
    way = trajectory(x, 300)
    far = trajectory(x, 450)
    xs = both_arms(x, 400)
    ends = np.mean(way[:, 0]) + np.sum(far[-1])
    products = []
    for a, b in zip(xs, xs[1:]):
        products.append(a * b)
    weighted = np.sum(np.arange(400) * xs) + np.dot(products, products) * 1e-9
    lengths = total(xs) + total(counted_down(x, 1000)) + total([x, 2.0, x])
    corner = np.array(table(x, 250))[200:, 290:]
    return ends + weighted + lengths * 1e-3 + np.sum(corner) + np.std(counted_down(x, 1500))
