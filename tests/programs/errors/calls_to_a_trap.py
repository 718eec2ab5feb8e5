# entry: f
# args: 2.0, 3
# exit: 1
# message: index out of range
# line: 10
# calls: item 15, power 16, power 27, f.lambda 22, apply 27


def item(x, k):
    return [1.0, 2.0][k] * x


def power(x, n):
    if n == 0:
        return item(x, int(x) + 5)
    return power(x * 2.0, n - 1)


def apply(g, x):
    s = 0.0
    for _ in range(3):
        s = s + g(x)
    return s


def f(x, n):
    return apply(lambda t: power(t, n), x)
