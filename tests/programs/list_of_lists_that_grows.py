# entry: f
# args: 1.3, 3
# args: -0.6, 2
# note: a list that is put into one of run-time length has two names from there on


def f(x, n):
    last = [x, 0.5]
    rows = []
    for i in range(n):
        rows.append([x * i, 2.0])
    rows.append(last)
    last[1] = x * x
    rows[0] = last
    last[0] = 3.0 * x
    return sum(rows[-1]) * sum(rows[0]) + rows[1][0]
