# entry: f
# args: 2.0
# exit: 3
# message: complex
# line: 9


def f(x):
    return x * 2j
