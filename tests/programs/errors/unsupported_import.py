# entry: f
# args: 2.0
# exit: 3
# message: os
# line: 7

import os


def f(x):
    return x * os.getpid()
