# entry: f
# args: 2.0
# exit: 3
# message: nonlocal
# line: 12


def f(x):
    total = 0.0

    def add(y):
        nonlocal total
        total = total + y
        return total

    return add(x)
