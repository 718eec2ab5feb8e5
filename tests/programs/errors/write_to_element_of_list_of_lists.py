# entry: f
# args: 1.7
# exit: 3
# message: may share its memory is read later
# line: 12
def f(x):
    stack = [[x, 1.0]]
    while x < 10.0:
        x = 2.0 * x
        stack.append([x, 1.0])
    last = stack[-1]
    last[0] = 0.0
    return stack[-1][0] * x
