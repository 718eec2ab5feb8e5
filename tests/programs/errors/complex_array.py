# entry: f
# args: [1.0, 2.0]
# exit: 2
# message: arrays of complex numbers are not supported
# line: 9


def f(x):
    return (x * 2j).real
