# entry: f
# args: 0.7, 1.3, 2
# order: 1
# note: an arm that is not picked has an infinite derivative


def f(x, y, n):
    matrix = ((x, y), (y * y, x * y))
    trace = 0.0
    product = 1.0
    for i in range(2):
        trace = trace + matrix[i][i]
        for j in range(2):
            product = product * (1.0 + matrix[i][j] ** n)
    zero = x - x
    roots = (x, zero ** 0.5, y)
    return trace * product + roots[n]
