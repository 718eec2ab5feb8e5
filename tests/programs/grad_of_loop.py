# entry: f
# args: 1.5, 6
# closed: [n * (n - 1) * x ** (n - 2), None]
# note: the gradient of a while loop, differentiated again

from gradus import grad


def power(x, n):
    r = 1.0
    while n > 0:
        r = r * x
        n = n - 1
    return r


def f(x, n):
    return grad(power)(x, n)
