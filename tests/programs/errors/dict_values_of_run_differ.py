# entry: f
# args: 2.0, [1, 2, 1]
# exit: 2
# message: keys that only the run knows are of one type, and their values are
# line: 11
# note: a dict with keys that only the run knows, and a value of another type
def f(x, ks):
    d = {}
    for k in ks:
        d[k] = x
    d[7] = [x]
    return d[1]
