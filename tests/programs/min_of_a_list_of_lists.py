# entry: f
# args: 1.5
# note: the least list is an element
def f(x):
    w = [x, 2.0]
    m = min([w, [9.0, 1.0]])
    m[0] = 9.0 * x
    return w[0]
