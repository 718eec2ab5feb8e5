# entry: f
# args: 2.0
# exit: 2
# message: the dict has no key b
# line: 10


def f(x):
    y = {"a": x}
    del y["b"]
    return y["a"]
