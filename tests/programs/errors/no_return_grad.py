# command: grad
# entry: f
# args: 2.0
# exit: 2
# message: None
# line: 9, 10


def f(x):
    y = x * x
