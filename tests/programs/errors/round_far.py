# entry: f
# args: 1e-9, 30
# exit: 1
# message: more than 22 digits
# line: 8
# note: more digits than the float has
def f(x, n):
    return round(x, n)
