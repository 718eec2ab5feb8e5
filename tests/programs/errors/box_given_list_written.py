# entry: f
# args: 1.5
# exit: 3
# message: may share its memory is read later
# line: 14


from gradus import Box


def f(x):
    l = [1.0]
    b = Box(l)
    l.append(x)
    return sum(b.get())
