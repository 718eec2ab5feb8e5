# entry: f
# args: 2.0, 5
# exit: 2
# message: the key of a dict is a number, a string or a tuple of these
# line: 10
# note: a list is no key
def f(x, n):
    d = {}
    for i in range(n):
        d[[i]] = x
    return len(d) * x
