# entry: f
# args: 2.0
# exit: 3
# message: with
# line: 9


def f(x):
    with x as y:
        return y
