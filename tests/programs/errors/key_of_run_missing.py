# entry: f
# args: 2.0, 5
# exit: 1
# message: KeyError: 99
# line: 11
# note: a key that a dict does not have, as the run finds
def f(x, n):
    d = {}
    for i in range(n):
        d[i * n % 3] = x
    return d[n + 94]
