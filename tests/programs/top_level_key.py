# entry: f
# args: 0.7
# note: a builtin calls a function that a tuple holds, which reads a name that is bound again
k = 1.0


def times(v):
    return v * k


functions = (times,)
largest = max([1.0, 2.0], key=functions[0])
k = -1.0


def f(x):
    return largest * x
