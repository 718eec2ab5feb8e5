# entry: f
# args: 2.0
# args: 2.0, 5.0
# args: 2.0, 5.0, 3
# note: defaults of the entry itself, and of functions inside


def f(x, y=3.0, n=2):
    def g(a, b=1.5, c=2):
        return a * b**c

    return x**n + g(y) + g(y, 2.0) + g(y, c=3) + g(c=1, a=x, b=y)
