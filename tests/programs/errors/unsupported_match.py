# entry: f
# args: 2.0, 1
# exit: 3
# message: match
# line: 9


def f(x, n):
    match n:
        case 0:
            return x
        case _:
            return -x
