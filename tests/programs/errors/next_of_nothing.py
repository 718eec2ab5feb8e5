# entry: f
# args: 2.0
# exit: 1
# message: StopIteration
# line: 8
# note: the first element of nothing
def f(x):
    return next(v for v in [x, 1.0] if v > 3.0)
