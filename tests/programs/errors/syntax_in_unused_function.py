# entry: f
# args: 2.0
# exit: 2
# message: expected
# line: 14
# note: only what the entry reaches is compiled, but the whole file must parse


def f(x):
    return x


def g(x):
    return x +
