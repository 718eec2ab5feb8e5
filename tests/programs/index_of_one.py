# entry: f
# args: 1.5, 0
# args: -2.0, -1
# order: 2
# note: an index that only the run knows, of one element, or of the same ones
def f(x, n):
    rows = [[x, x * x]]
    return [x][n] * (x, x)[n] + rows[n][1] * [(x, 1.0)][n][0]
