# command: grad
# entry: f
# args: 2.0
# exit: 1
# message: index out of range
# line: 14
# calls: item 20, loop 25, slope.lambda 25, slope 29

from gradus import grad


def item(x, k):
    # Only the run knows the index.
    return [x, 2.0][k + int(x)]


def loop(x):
    s = 0.0
    for k in range(3):
        s = s + item(x, k)
    return s * x


def slope(x):
    return grad(lambda t: loop(t))(x)


def f(x):
    return slope(x) + 1.0
