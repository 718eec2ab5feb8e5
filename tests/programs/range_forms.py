# entry: f
# args: 1.5, 7
# args: 1.5, 0
# note: one, two and three arguments, negative steps, empty ranges


def f(x, n):
    a = 0.0
    for i in range(n):
        a += i * x
    for i in range(2, n):
        a += i * x * x
    for i in range(1, n, 3):
        a -= i * x
    for i in range(n, 0, -2):
        a += x / i
    for i in range(n, 0):
        a = 1000.0
    for i in range(0, n, -1):
        a = 1000.0
    return a
