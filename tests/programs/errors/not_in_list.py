# entry: f
# args: 2.0, 5
# exit: 1
# line: 8
# message: ValueError: the value is not in the list
def f(x, n):
    xs = [1, 2, 3]
    return x * xs.index(n)
