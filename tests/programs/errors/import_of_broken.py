# command: grad
# entry: f
# args: 2.0
# exit: 2
# message: broken.py:5
# line: 7
from beside.broken import g


def f(x):
    return g(x)
