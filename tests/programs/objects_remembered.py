# entry: f
# args: 1.3
# args: -0.6
# note: a table that a recursion fills, and one that a list is taken from


def value(n, table):
    while len(table) <= n:
        table.append(0.5 * value(len(table) - 1, table) + table[-2])
    return table[n]


def path(n, found):
    if n == 0:
        return 0.0
    found.append(found[-1] * 0.5 + n)
    return found[-1] + path(n - 1, found)


def f(x):
    table = [x, x * x]
    found = [x]
    return value(6, table) + value(4, table) * len(table) + path(4, found) * found[3]
