# entry: f
# args: 1.5
# exit: 3
# message: is not supported at the top level
# line: 10


from gradus import Box

b = Box(1.0)


def f(x):
    b.set(b.get() * x)
    b.set(b.get() * x)
    return b.get()
