# command: grad
# entry: f
# args: 1.5, 1
# wrt: 0
# exit: 1
# message: index out of range
# line: 9
# note: an index is checked, though there is but one element that it could be of
def f(x, n): return [x][n] * 2.0
