# entry: f
# args: 1.5
# exit: 3
# message: what this function captures has no gradient here: a `Box`, or a variable that functions share and assign
# line: 16
from gradus import vjp


def f(x):
    count = x

    def g(y):
        nonlocal count
        count = count + y
        return count
    return vjp(lambda g, y: g(y), g, x)[1](1.0)[1]
