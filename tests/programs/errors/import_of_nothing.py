# command: grad
# entry: f
# args: 2.0
# exit: 2
# message: unknown name `beside.nothing`
# line: 11
from beside import nothing


def f(x):
    return nothing(x)
