# entry: f
# args: 2.0
# exit: 3
# message: `yield` of a generator that is not gone over at once
# line: 10


def forever(x):
    while True:
        yield x


def f(x):
    return sum([a * b for a, b in zip(forever(x), [1.0, 2.0])])
