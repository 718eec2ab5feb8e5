# entry: f
# args: 2.0
# exit: 2
# message: unsupported operand types for `&`: float and int
# line: 8
# note: floats have no bits
def f(x):
    return x & 1
