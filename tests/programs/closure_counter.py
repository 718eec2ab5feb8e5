# entry: f
# args: 2.0
# note: a counter without mutation: a closure that returns the next closure


def counter(n):
    return lambda: n, lambda: counter(n + 1)


def f(x):
    value, step = counter(0)
    value, step = step()
    value, step = step()
    value, step = step()
    return x ** value() + x
