# entry: f
# args: 2.0, 3
# args: -2.0, 3
# note: defaults whose values are chosen by branches and loops, and used by nothing else


def f(x, n):
    g = lambda a, b=(x if x > 0.0 else x * x): a * b
    for i in range(n):

        def h(a, b=x and i, c=g(x)):
            return a + b * c

        x = h(x) + h(x, 0.5)
    return g(x) + x
