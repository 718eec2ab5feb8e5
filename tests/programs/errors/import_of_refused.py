# command: grad
# entry: f
# args: 2.0
# exit: 2
# message: unknown name `unknown`
# in: beside/refused.py
# line: 5
from beside.refused import g


def f(x):
    return g(x)
