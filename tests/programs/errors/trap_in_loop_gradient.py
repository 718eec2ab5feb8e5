# command: grad
# entry: f
# args: 2.0
# exit: 1
# message: integer division by zero
# line: 12


def f(x):
    y = x
    for i in range(5):
        k = 12 // (3 - i)
        y = y * x + k
    return y
