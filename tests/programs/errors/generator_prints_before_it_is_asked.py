# entry: f
# args: 2.0
# exit: 3
# message: what this iterator does would be done before anything asks for its elements
# line: 16


def parts(x):
    print("first")
    yield x
    print("second")
    yield x * 2.0


def f(x):
    g = parts(x)
    print("now")
    return sum(g)
