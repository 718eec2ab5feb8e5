# command: grad
# entry: f
# args: 2.0, 3
# exit: 2
# message: `case _:` missing
# line: 10
# note: a match that has no case for some values gives None there


def f(x, n):
    match n % 3:
        case 0:
            return x
        case 1:
            return x * x
