# command: grad
# entry: f
# args: 1.5
# exit: 1
# message: IndexError: list index out of range
# line: 11
# note: an update in place of an element that there never is
def f(x):
    r0 = [x]
    if x > 1.0:
        r0[1] += x
    return r0[0]
