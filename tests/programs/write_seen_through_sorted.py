# entry: f
# args: 0.7
def f(x):
    m = [[x], [2.0]]
    c = sorted(m, key=lambda row: row[0])
    c[0][0] = 3.0
    return m[0][0] * x
