# entry: f
# args: 1.5
# exit: 1
# message: IndexError: list index out of range
# line: 10
# note: where the run takes an arm that reads what is not there, it fails
def f(x):
    stack = []
    if x > 1.0:
        return stack[-1]
    return x
