# entry: f
# args: 2.0
# exit: 3
# message: `del` of a variable that functions share
# line: 13

def f(x):
    def add():
        nonlocal total
        total = total + x
    total = x
    add()
    del total
    return x
