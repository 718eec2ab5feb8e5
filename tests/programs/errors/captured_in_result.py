# entry: f
# args: 2.0, 3
# exit: 2
# message: i
# line: 15, 16
# note: what `twice` returns holds the lambda, which would read the i of the next iteration


def twice(g):
    return lambda y: g(g(y))


def f(x, n):
    h = lambda y: y
    for i in range(n):
        h = twice(lambda y: h(y) + i * x)
    return h(x)
