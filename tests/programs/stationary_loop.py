# entry: f
# args: 0.0, 3
# args: 0.5, 3
# wrt: 0
# order: 2
# note: a loop whose step is x -> x * x + x: at 0 the second derivative counts the steps


def f(x, n):
    for i in range(n):
        if x > -0.25:
            x = x * x + x
        else:
            x = 1.0 / x
    return x
