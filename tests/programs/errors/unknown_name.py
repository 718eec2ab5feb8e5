# entry: f
# args: 2.0
# exit: 2
# message: scael
# line: 10


def f(x):
    scale = 2.0
    return scael * x
