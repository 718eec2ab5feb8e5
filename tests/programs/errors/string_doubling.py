# entry: f
# args: 1.5
# exit: 2
# message: a string of more than 65536 characters
# line: 9
def f(x):
    s = "a"
    for i in range(40):
        s = s + s
    return x + len(s)
