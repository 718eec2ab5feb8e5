# entry: f
# args: 2.0
# exit: 3
# message: something that may share its memory is read later
# line: 11


def f(x):
    l = [x]
    m = l
    l.append(2.0)
    return m[0]
