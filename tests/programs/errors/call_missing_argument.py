# entry: f
# args: 2.0
# exit: 2
# message: it is `g(a, b, *rest, c=…, **others)`
# line: 13
# note: the hint shows the parameters of what is called
def g(a, b, *rest, c=1.0, **others):
    return a * b * c


def f(x):
    y = g(x, x, x, c=x, d=x)
    return y + g(x)
