# entry: f
# args: 1.7
def f(x):
    stack = [[x, 1.0]]
    while x < 10.0:
        x = 2.0 * x
        stack.append([x, 1.0])
    last = stack[-1]
    last[0] = 0.0
    return stack[-1][0] * x
