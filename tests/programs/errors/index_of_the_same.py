# entry: f
# args: 1.5, -3
# exit: 1
# message: index out of range
# line: 8
# note: an index is checked, though all elements are one value
def f(x, n):
    return (x, x)[n]
