# entry: f
# args: 2.0
# note: two elements of the list are one, which a function gives in another order
def turned(rows):
    return [rows[1], rows[0]]


def f(x):
    row = [x, 1.0]
    m = turned([row, row])
    m[0][0] = x * x
    return m[0][0] + m[1][0]
