# entry: f
# args: 2.0, 3.0
# exit: 2
# message: speed
# line: 8


def f(speed, speed):
    return speed
