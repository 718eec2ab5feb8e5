# entry: f
# args: 2.0
# closed: [3 * x * x + 5 * x**4]
# note: a default is evaluated where the function is defined


def f(x):
    y = x * x

    def g(a, b=y):
        return a * b

    y = y * x
    return g(x) + g(y)
