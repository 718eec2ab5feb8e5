# entry: f
# args: 2.0
# exit: 2
# message: an index has as many parts as the program says
# line: 14
# note: this was a panic of the compiler


def f(x):
    stack = [[x, 1.0]]
    while x < 10.0:
        x = x + 2.0
        stack.append([x, 1.0])
    last = stack[*stack]
    return stack[-1][0] * x
