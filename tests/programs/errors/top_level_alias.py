# command: grad
# entry: f
# args: 2.0
# exit: 3
# message: may share its memory
# line: 10
# note: a write by one name of a list, which is read by the other
L = [1.0]
M = L
M.append(1.0)


def f(x):
    return sum(L) * x
