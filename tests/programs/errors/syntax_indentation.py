# entry: f
# args: 2.0
# exit: 2
# message: indent
# line: 10


def f(x):
    y = x
      return y
