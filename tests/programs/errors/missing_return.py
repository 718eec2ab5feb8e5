# command: grad
# entry: f
# args: 2.0
# exit: 2
# message: None
# line: 9, 10, 11
# note: one path ends without a return


def f(x):
    if x > 1.0:
        return x
