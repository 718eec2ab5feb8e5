# entry: f
# args: 1.5
# order: 2
# note: a mutable box that a loop, and a function it is given to, read and write

from gradus import Box


def add(box, value):
    box.set(box.get() + value)


def f(x):
    total = Box(0.0)
    factor = Box(x)
    for i in range(4):
        add(total, factor.get() * factor.get() + i)
        factor.set(factor.get() * 1.5)
    return total.get() * x
