# entry: f
# args: 2.0
# exit: 3
# message: global
# line: 11

count = 0.0


def f(x):
    global count
    count = count + x
    return count
