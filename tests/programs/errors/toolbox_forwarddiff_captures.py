# entry: f
# args: 1.5
# exit: 2
# message: captures `x`, which would get no derivative
# line: 12


from gradus import forwarddiff


def f(x):
    return forwarddiff(lambda a: a * x, x)
