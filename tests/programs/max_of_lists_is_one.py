# entry: f
# args: 1.5
# note: the greater one of two lists is that list
def f(x):
    w = [x, 2.0]
    m = max(w, [0.0, 1.0])
    m[0] = 9.0 * x
    return w[0]
