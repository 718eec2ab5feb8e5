# entry: f
# args: 2.0
# exit: 3
# message: write `next(iter(xs))`
# line: 9
# note: an iterator that is kept
def f(x):
    xs = [x, 2.0]
    return next(xs)
