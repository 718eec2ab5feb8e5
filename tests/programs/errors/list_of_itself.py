# entry: f
# args: 3.0
# exit: 3
# message: `parts` is put into itself
# line: 9
def f(x):
    parts = [x, 2.0]
    whole = (1.0, parts)
    parts.append(whole)
    parts[0] = 7.0
    return parts[2][1][0] * x
