# entry: f
# args: 0.7, 0
# exit: 1
# message: none
# line: 11
# note: a function that may be None is called where it is
def f(x, n):
    g = None
    for i in range(n):
        g = lambda t: t * x
    return g(x)
