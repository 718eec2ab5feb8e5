# entry: f
# args: 1.5
# exit: 1
# message: index out of range
# line: 12


def f(x):
    found = []
    if x > 100.0:
        found.append(x)
    found[0] = x
    return found[0]
