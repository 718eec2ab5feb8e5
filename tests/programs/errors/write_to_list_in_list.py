# entry: f
# args: 1.7
# exit: 3
# message: may share its memory is read later
# line: 12
def f(x):
    row = [x, 1.0]
    stack = [row]
    while x < 10.0:
        x = 2.0 * x
        stack.append(row)
    row[0] = 0.0
    return stack[-1][0] * x
