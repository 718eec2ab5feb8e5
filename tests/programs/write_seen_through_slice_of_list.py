# entry: f
# args: 0.7
def f(x):
    m = [[x], [2.0]]
    c = m[:]
    c[0][0] = 3.0
    return m[0][0] * x
