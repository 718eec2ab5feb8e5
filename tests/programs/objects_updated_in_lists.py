# entry: f
# args: 1.3
# args: -0.6
# note: `+=` and the like of an element that is a list or a dict write to it


def f(x):
    row = [x, 2.0]
    rows = [row, [0.5]]
    rows[0] += [x * x]
    same = rows[1]
    rows[1] *= 2
    table = {"a": x}
    tables = [table, table]
    tables[0] |= {"a": x * 3.0}
    return sum(row) * len(row) + sum(same) * x + table["a"] * tables[1]["a"]
