# entry: f
# args: 2.0
# exit: 2
# message: the key of a dict is a string, an int or a tuple of these
# line: 8
# note: a key that is a float
def f(x):
    return {x: 1.0}[x]
