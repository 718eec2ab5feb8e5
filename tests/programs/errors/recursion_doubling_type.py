# entry: f
# args: 2.0, 3
# exit: 2
# message: different types
# line: 9, 12
# note: the tuples double with each call: what inference looks at is bounded by their size too


def g(a, b, n):
    if n == 0:
        return 1.0
    return g((a, b), (b, a), n - 1) + g(b, (a,), n - 1)


def f(x, n):
    return g(x, x, n)
