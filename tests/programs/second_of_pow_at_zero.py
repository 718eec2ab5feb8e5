# entry: f
# args: 0.0, 2
# args: 0.0, 1
# args: 0.0, 0
# args: 0.0, 3
# wrt: 0
# order: 2
# closed: [{0: 0.0, 1: 1.0, 2: 2 * x, 3: 3 * x * x}[n], None]
# closed second: 2.0 if n == 2 else 0.0
# note: x ** n at 0 for small n


def f(x, n):
    return x**n
