# entry: f
# args: 0.75, 4
# args: -0.5, 0
# wrt: 0
# note: functions that take and return lists whose length only the run knows


def powers(x, n):
    if n == 0:
        return []
    return powers(x, n - 1) + [x**n]


def fold(values, acc):
    if not values:
        return acc
    return fold(values[1:], acc * 0.5 + values[0] * values[0])


def longer(a, b):
    return a if len(a) > len(b) else b


def f(x, n):
    chosen = longer(powers(x, n), [x, 2, 3.0])
    return fold(powers(x, n), x) * sum(chosen) + fold(chosen, 1.0) * chosen[1]
