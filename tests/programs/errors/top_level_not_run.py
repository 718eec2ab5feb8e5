# command: grad
# entry: f
# args: 2.0
# exit: 3
# message: the builtin `open` is not supported
# line: 9
# note: what the top level cannot run is refused where it is read
L = [1.0]
with open("x") as h:
    L.append(2.0)


def f(x):
    return sum(L) * x
