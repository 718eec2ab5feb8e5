# entry: f
# args: 1.7
def f(x):
    row = [x, 1.0]
    stack = [row]
    while x < 10.0:
        x = 2.0 * x
        stack.append(row)
    row[0] = 0.0
    return stack[-1][0] * x
