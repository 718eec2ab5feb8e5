# command: grad
# entry: f
# args: 2.0
# exit: 3
# message: no such file
# line: 7
from .helpers import foo


def f(x):
    return foo(x) + foo(2.0 * x)
