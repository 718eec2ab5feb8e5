# entry: f
# args: 0.7
# order: 2
# note: boxes that are made, replaced and read on some paths only, of which one holds a tuple

from gradus import Box


def f(x):
    pair = Box((x, 1.0))
    other = Box(x * x)
    if x < 1.0:
        a, b = pair.get()
        pair.set((a * 2.0, b + a))
    n = 0
    while pair.get()[0] < 40.0:
        a, b = pair.get()
        if n % 2 == 0:
            pair.set((a * 3.0, b * a))
        else:
            other.set(other.get() + b)
            pair.set((a + 1.0, b))
        n += 1
    return pair.get()[1] * other.get()
