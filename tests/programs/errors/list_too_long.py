# entry: f
# args: 2.0
# exit: 2
# message: elsewhere
# line: 11
# note: unrolling a loop has a limit


def f(x):
    s = 0.0
    for e in [x * i for i in range(100000)]:
        s += e
    return s
