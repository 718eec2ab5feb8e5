# entry: f
# args: 2.0
# exit: 3
# message: the attribute `length` of a list of (float) is not supported
# line: 8
# note: what nothing in the program or the library has, Python may have
def f(x):
    return x * [x].length
