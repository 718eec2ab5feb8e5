# entry: f
# args: 2.0
# note: two elements of the list are one, and the list is sorted


def f(x):
    row = [x, 1.0]
    m = [row, row]
    m.sort(key=lambda r: r[0])
    m[0][0] = x * x
    return m[0][0] + m[1][0]
