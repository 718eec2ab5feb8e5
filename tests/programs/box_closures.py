# entry: f
# args: 1.5
# note: a box that closures share, and a gradient of a function with boxes inside of the program

from gradus import Box, grad


def counter(x):
    count = Box(1.0)

    def tick(y):
        count.set(count.get() * y)
        return count.get() + y

    return tick(x) * tick(x * 2.0) + count.get()


def f(x):
    return grad(counter)(x) * x + counter(x)
