# entry: f
# args: 2.0
# exit: 2
# message: cannot unpack 1 value into at least 2 names
# line: 9


def f(x):
    a, *b, c = (x,)
    return a + c
