# entry: f
# args: 2.0
# exit: 1
# line: 7
# message: `max` of nothing needs a default
def f(x):
    return x * max([], key=abs)
